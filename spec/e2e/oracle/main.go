// oracle runs an informer of client-go until its standard input ends, and prints what that tells: a JSON line for
// each add, update and delete, one when the first list is told, and at the end the store.
//
//	oracle <kubeconfig> <version>/<resource> | <group>/<version>/<resource>
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// state is of an object what tells it from every other object and every other version of it.
type state struct {
	Key     string `json:"key"`
	UID     string `json:"uid"`
	Version string `json:"version"`
}

type line struct {
	Type string `json:"type"`
	*state
	Old               *state  `json:"old,omitempty"`
	Initial           bool    `json:"initial,omitempty"`
	FinalStateUnknown bool    `json:"finalStateUnknown,omitempty"`
	Store             []state `json:"store,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		fail("usage: oracle <kubeconfig> <version>/<resource>")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(reason any) {
	fmt.Fprintln(os.Stderr, reason)
	os.Exit(1)
}

func run(kubeconfig, resource string) error {
	gvr, err := parse(resource)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	informer := factory.ForResource(gvr).Informer()
	out := &printer{encoder: json.NewEncoder(os.Stdout)}
	told, err := informer.AddEventHandler(out)
	if err != nil {
		return err
	}

	ctx, stop := context.WithCancel(context.Background())
	factory.Start(ctx.Done())
	go func() {
		if cache.WaitForCacheSync(ctx.Done(), told.HasSynced) {
			out.print(line{Type: "synced"})
		}
	}()
	_, err = io.Copy(io.Discard, os.Stdin)
	stop()
	factory.Shutdown()
	out.print(line{Type: "store", Store: statesOf(informer.GetStore())})
	return err
}

func parse(resource string) (gvr schema.GroupVersionResource, err error) {
	switch parts := strings.Split(resource, "/"); len(parts) {
	case 2:
		gvr.Version, gvr.Resource = parts[0], parts[1]
	case 3:
		gvr.Group, gvr.Version, gvr.Resource = parts[0], parts[1], parts[2]
	default:
		err = fmt.Errorf("%q is no <version>/<resource>", resource)
	}
	return gvr, err
}

func statesOf(store cache.Store) []state {
	states := []state{}
	for _, object := range store.List() {
		states = append(states, *stateOf(object))
	}
	return states
}

func stateOf(object any) *state {
	meta := object.(metav1.Object)
	key := cache.MetaObjectToName(meta).String()
	return &state{Key: key, UID: string(meta.GetUID()), Version: meta.GetResourceVersion()}
}

// printer is the handler, and the only one who prints.
type printer struct {
	mutex   sync.Mutex
	encoder *json.Encoder
}

func (p *printer) print(l line) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if err := p.encoder.Encode(l); err != nil {
		fail(err)
	}
}

func (p *printer) OnAdd(object any, initial bool) {
	p.print(line{Type: "add", state: stateOf(object), Initial: initial})
}

func (p *printer) OnUpdate(old, object any) {
	p.print(line{Type: "update", state: stateOf(object), Old: stateOf(old)})
}

func (p *printer) OnDelete(object any) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		p.print(line{Type: "delete", state: stateOf(tombstone.Obj), FinalStateUnknown: true})
		return
	}
	p.print(line{Type: "delete", state: stateOf(object)})
}
