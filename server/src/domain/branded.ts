// Nominal types: two ids of one underlying type do not mix.

declare const brand: unique symbol;

export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };
