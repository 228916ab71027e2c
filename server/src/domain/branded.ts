// Nominal types, so that two ids with the same underlying type cannot be mixed up.

declare const brand: unique symbol;

export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };
