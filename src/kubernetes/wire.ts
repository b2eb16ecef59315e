/**
 * What really comes over the wire where `@kubernetes/client-node` promises the class `T`: times are RFC 3339
 * strings, names are those of the API (`from`, not `_from`), bytes are base64 and numbers-or-strings either.
 * All of it is mutable, so that it fits where plain objects are asked for; what a store hands out is
 * frozen at run time nonetheless.
 */
export type Wire<T> = unknown extends T
  ? unknown
  : T extends Date
    ? string
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : T extends object
        ? { -readonly [K in keyof T as WireName<T, K>]: Wire<T[K]> }
        : T;

type WireName<T, K extends keyof T> = K extends keyof WireNames
  ? WireNames[K]
  : K extends keyof JsonSchemaWireNames
    ? 'x_kubernetes_validations' extends keyof T
      ? JsonSchemaWireNames[K]
      : K
    : K;

/** Names of the API that client-node cannot use as they are, by what it makes of them. */
export interface WireNames {
  _continue: 'continue';
  _default: 'default';
  _enum: 'enum';
  _from: 'from';
  _int: 'int';
  x_kubernetes_embedded_resource: 'x-kubernetes-embedded-resource';
  x_kubernetes_int_or_string: 'x-kubernetes-int-or-string';
  x_kubernetes_list_map_keys: 'x-kubernetes-list-map-keys';
  x_kubernetes_list_type: 'x-kubernetes-list-type';
  x_kubernetes_map_type: 'x-kubernetes-map-type';
  x_kubernetes_preserve_unknown_fields: 'x-kubernetes-preserve-unknown-fields';
  x_kubernetes_validations: 'x-kubernetes-validations';
}

/** Renamed in the JSON schema of a CustomResourceDefinition only; elsewhere these are ordinary names. */
export interface JsonSchemaWireNames {
  ref: '$ref';
  schema: '$schema';
}
