// clientgobench is client-go as a contender of the bench: a job as JSON in, what it took as JSON out. See bench/job.ts.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type job struct {
	Contender  string `json:"contender"`
	Server     string `json:"server"`
	Objects    int64  `json:"objects"`
	Events     int64  `json:"events"`
	Kubeconfig string `json:"kubeconfig"`
}

type seen struct {
	Count int64 `json:"count"`
	Sum   int64 `json:"sum"`
}

type cost struct {
	CPU  float64 `json:"cpu"`
	Wall float64 `json:"wall"`
	Seen *seen   `json:"seen,omitempty"`
}

type held struct {
	Heap     float64 `json:"heap"`
	External float64 `json:"external"`
	RSS      float64 `json:"rss"`
}

type outcome struct {
	List  cost  `json:"list"`
	Held  *held `json:"held,omitempty"`
	Watch *cost `json:"watch,omitempty"`
}

func main() {
	result, err := run()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() (result outcome, err error) {
	var j job
	if err = json.Unmarshal([]byte(os.Args[1]), &j); err != nil {
		return result, err
	}
	config, err := configFor(j)
	if err != nil {
		return result, err
	}
	informer, err := informerFor(j, config)
	if err != nil {
		return result, err
	}
	handler := &counter{enough: make(chan struct{}, 1)}
	handler.expect(j.Objects)
	if _, err = informer.AddEventHandler(handler); err != nil {
		return result, err
	}

	heap := heapInUse()
	listing := measuring()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go informer.Run(ctx.Done())
	<-handler.enough
	result.List = listing(handler.take())
	result.Held = &held{Heap: float64(heapInUse()-heap) / float64(j.Objects)}
	if j.Events == 0 {
		return result, nil
	}

	// What comes first does not count: see bench/job.ts.
	for turn := range int64(2) {
		handler.take()
		handler.expect(j.Events)
		watching := measuring()
		if err = ask(fmt.Sprintf("%s/events?from=%d&to=%d", j.Server, turn*j.Events, (turn+1)*j.Events)); err != nil {
			return result, err
		}
		<-handler.enough
		watch := watching(handler.take())
		result.Watch = &watch
	}
	return result, nil
}

func configFor(j job) (*rest.Config, error) {
	if j.Kubeconfig == "" {
		return &rest.Config{Host: j.Server, QPS: -1}, nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", j.Kubeconfig)
	if err != nil {
		return nil, err
	}
	// Left to itself it asks for protobuf.
	config.ContentType = "application/json"
	if j.Contender == "clientGoProtobuf" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
	}
	config.AcceptContentTypes = config.ContentType
	return config, err
}

func informerFor(j job, config *rest.Config) (cache.SharedIndexInformer, error) {
	if j.Contender == "clientGoDynamic" {
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
		return dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(pods).Informer(), nil
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().Informer(), nil
}

// counter is the handler: what it saw, as a checksum.
type counter struct {
	count, sum, expected atomic.Int64
	enough               chan struct{}
}

func (c *counter) expect(count int64) { c.expected.Store(count) }

func (c *counter) take() *seen {
	return &seen{Count: c.count.Swap(0), Sum: c.sum.Swap(0)}
}

func (c *counter) see(object any) {
	meta, ok := object.(metav1.Object)
	if !ok {
		return
	}
	uid := string(meta.GetUID())
	// On a real server the uid is none of our making, so it does not count.
	index, err := strconv.ParseInt(uid[len(uid)-12:], 10, 64)
	if err != nil {
		index = 0
	}
	version, _ := strconv.ParseInt(meta.GetResourceVersion(), 10, 64)
	c.sum.Add(index + version)
	if c.count.Add(1) == c.expected.Load() {
		c.enough <- struct{}{}
	}
}

func (c *counter) OnAdd(object any, _ bool) { c.see(object) }
func (c *counter) OnUpdate(_, object any)   { c.see(object) }
func (c *counter) OnDelete(any)             {}

func ask(url string) error {
	response, err := http.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func measuring() func(*seen) cost {
	wall, cpu := time.Now(), cpuTime()
	return func(s *seen) cost {
		return cost{CPU: cpuTime() - cpu, Wall: float64(time.Since(wall).Microseconds()) / 1000, Seen: s}
	}
}

func cpuTime() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
