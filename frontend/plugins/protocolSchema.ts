/** Writes the checks of the websocket frames from the server's own description of them.
 *
 * `npm run generate` reads `protocol.json` and writes `src/api/protocolSchema.ts`; a test checks
 * that the two match.
 */
import { writeFileSync } from "node:fs";
import { format } from "prettier";

import protocol from "../protocol.json";

/** The part of JSON Schema that the description uses; anything else is refused, not guessed. */
interface JsonSchema {
  $ref?: string;
  anyOf?: JsonSchema[];
  const?: string;
  enum?: string[];
  type?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
}

interface Protocol {
  $defs: Record<string, JsonSchema>;
  oneOf: JsonSchema[];
}

const HEADER = "/** Generated from protocol.json by `npm run generate`; do not change it here. */";

/** Return the TypeScript module that checks every frame. */
export function writeProtocolSchema(protocol: Protocol): Promise<string> {
  const written = new Map<string, string>();
  const frames = protocol.oneOf.map(({ $ref }) => define(nameOf($ref), protocol, written));
  const lines = [
    HEADER,
    'import * as v from "valibot";',
    ...[...written].map(([name, code]) => `export const ${name} = ${code};`),
    `export const FRAMES = [${frames.join(", ")}] as const;`,
  ];
  return format(lines.join("\n\n"), { parser: "typescript", printWidth: 100 });
}

function nameOf(ref: string | undefined): string {
  const name = ref?.split("/").at(-1);
  if (name === undefined) throw new Error("A frame has no name in protocol.json.");
  return name;
}

/** Write a named schema once, after those that it needs; return its name in the module. */
function define(name: string, protocol: Protocol, written: Map<string, string>): string {
  const constant = name.charAt(0).toLowerCase() + name.slice(1);
  const schema = protocol.$defs[name];
  if (schema === undefined) throw new Error(`protocol.json has no definition of ${name}.`);
  if (!written.has(constant)) written.set(constant, write(schema, protocol, written));
  return constant;
}

function write(schema: JsonSchema, protocol: Protocol, written: Map<string, string>): string {
  const inner = (part: JsonSchema) => write(part, protocol, written);
  if (schema.$ref !== undefined) return define(nameOf(schema.$ref), protocol, written);
  if (schema.const !== undefined) return `v.literal(${JSON.stringify(schema.const)})`;
  if (schema.enum !== undefined) return `v.picklist(${JSON.stringify(schema.enum)})`;
  if (schema.anyOf !== undefined) return writeAnyOf(schema.anyOf, inner);
  switch (schema.type) {
    case "string":
      return "v.string()";
    case "integer":
    case "number":
      return "v.number()";
    case "boolean":
      return "v.boolean()";
    case "array":
      return `v.array(${schema.items === undefined ? "v.unknown()" : inner(schema.items)})`;
    case "object":
      return writeObject(schema, inner);
    default:
      throw new Error(`protocol.json contains an unsupported schema: ${JSON.stringify(schema)}`);
  }
}

function writeAnyOf(choices: JsonSchema[], inner: (part: JsonSchema) => string): string {
  const [first, ...others] = choices.filter(({ type }) => type !== "null");
  if (first === undefined || others.length > 0 || choices.length !== 2) {
    throw new Error("protocol.json may combine one type with null, nothing else.");
  }
  return `v.nullable(${inner(first)})`;
}

function writeObject({ properties }: JsonSchema, inner: (part: JsonSchema) => string): string {
  if (properties === undefined) return "v.record(v.string(), v.unknown())";
  const entries = Object.entries(properties).map(([name, part]) => `${name}: ${inner(part)}`);
  return `v.object({${entries.join(", ")}})`;
}

/** Write the module again, in the front end's folder. */
export async function generate(): Promise<void> {
  writeFileSync("src/api/protocolSchema.ts", await writeProtocolSchema(protocol));
}
