// The operations of an OpenAPI document by tag, with every reference resolved by name. Pure.
import type { Content, OpenApiDocument, OpenApiOperation, OpenApiParameter, Schema } from './openapi-types.ts';

/** One body of a request or a response, in one form of the API. */
export type BodyShape = {
  /** Null: the same in both forms. */
  readonly form: string | null;
  readonly schema: Schema;
  /** Undefined: none. */
  readonly example: unknown;
};

export type Response = { readonly status: string; readonly description: string; readonly shapes: readonly BodyShape[] };

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Descriptions of the accepted credentials. Empty: anyone. */
  readonly credentials: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly body: readonly BodyShape[];
  readonly responses: readonly Response[];
};

export type OperationGroup = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
};

export type ApiReference = readonly OperationGroup[];

const REFERENCE_PREFIX = '#/components/schemas/';

export function readOperations(openapi: object): ApiReference {
  const document = openapi as OpenApiDocument;
  const schemas = document.components?.schemas ?? {};
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  return (document.tags ?? []).map(({ name: title, description = '' }) => ({
    name: title.toLowerCase().replaceAll(' ', '-'),
    title,
    description,
    schemas,
    operations: all
      .filter(({ operation }) => operation.tags?.includes(title))
      .map(({ path, method, operation }) => readOperation(document, path, method, operation)),
  }));
}

/** The schema itself, or the one that it refers to. */
export function resolveSchema(schema: Schema, schemas: OperationGroup['schemas']): Schema {
  const name = schemaNameOf(schema);
  return name === null ? schema : (schemas[name] ?? {});
}

/** The name of the schema that this one refers to. */
export function schemaNameOf({ $ref }: Schema): string | null {
  return $ref?.startsWith(REFERENCE_PREFIX) ? $ref.slice(REFERENCE_PREFIX.length) : null;
}

function readOperation(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): Operation {
  const schemes = document.components?.securitySchemes ?? {};
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    credentials: (operation.security ?? []).flatMap(Object.keys).map((name) => schemes[name]?.description ?? name),
    parameters: operation.parameters ?? [],
    body: readShapes(operation.requestBody?.content),
    responses: Object.entries(operation.responses ?? {}).map(([status, { description = '', content }]) => ({
      status,
      description,
      shapes: readShapes(content),
    })),
  };
}

function readShapes(contents: Readonly<Record<string, Content>> | undefined): BodyShape[] {
  const content = contents?.['application/json'];
  if (content?.schema === undefined) return [];
  const { schema } = content;
  const examples = Object.values(content.examples ?? {});
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  const isByForm = variants.length > 0 && variants.every(isOfForm);
  if (!isByForm) return [{ form: null, schema, example: content.example ?? examples[0]?.value }];
  return variants.map((variant, index) => ({
    form: formOf(variant) ?? '',
    schema: variant,
    example: (examples.find(({ summary }) => summary === formOf(variant)) ?? examples[index])?.value,
  }));
}

function isOfForm(schema: Schema): boolean {
  return formOf(schema) !== null;
}

function formOf(schema: Schema): string | null {
  const match = /^Form ([12])$/.exec(schema.title ?? '') ?? /Form([12])$/.exec(schemaNameOf(schema) ?? '');
  return match === null ? null : `Form ${match[1]}`;
}
