import { BaseType, type PropertyType } from './base-type.ts'
import { BaseBufferType, encryptedType, plainType } from './buffer-type.ts'
import { blobContent, jsonContent, schemaContent, textContent } from './content.ts'
import { SlugIdArray, slugIdArrayContent } from './slug-id-array.ts'
import {
  BaseValueType,
  BooleanType,
  DateType,
  NumberType,
  PositiveIntegerType,
  SlugIdType,
  StringType,
  UUIDType,
} from './value-types.ts'

/** The type of a property that holds a {@link SlugIdArray}, with a method that makes one. */
export interface SlugIdArrayType extends PropertyType<SlugIdArray> {
  /** Makes an empty array. */
  create(): SlugIdArray
}

/** The property types: `Entity.types`. */
export interface Types {
  /** The base of all types, for your own ones. */
  readonly BaseType: typeof BaseType
  /** The base of types that are stored in one property and can be compared. */
  readonly BaseValueType: typeof BaseValueType
  /** The base of types that are stored as chunks of bytes. */
  readonly BaseBufferType: typeof BaseBufferType
  /** Text of up to 32,768 UTF-16 units. */
  readonly String: typeof StringType
  /** `true` or `false`. */
  readonly Boolean: typeof BooleanType
  /** A finite number. */
  readonly Number: typeof NumberType
  /** A whole number from 0 to 2^32. */
  readonly PositiveInteger: typeof PositiveIntegerType
  /** A date in milliseconds. */
  readonly Date: typeof DateType
  /** A UUID of any version. */
  readonly UUID: typeof UUIDType
  /** A random UUID as a slugid of 22 characters. */
  readonly SlugId: typeof SlugIdType
  /** Bytes, up to 256 KiB. */
  readonly Blob: PropertyType<Buffer>
  /** Text of up to 256 KiB as UTF-8. */
  readonly Text: PropertyType<string>
  /** A value that JSON can hold, up to 256 KiB. */
  readonly JSON: PropertyType<unknown>
  /** JSON that a JSON Schema (draft 7) describes; it is checked on every write. */
  Schema<Value = unknown>(schema: object): PropertyType<Value>
  /** A list of slugids, 16 bytes each. */
  readonly SlugIdArray: SlugIdArrayType
  /** Encrypted bytes, up to 256 KiB - 32. */
  readonly EncryptedBlob: PropertyType<Buffer>
  /** Encrypted text. */
  readonly EncryptedText: PropertyType<string>
  /** Encrypted JSON. */
  readonly EncryptedJSON: PropertyType<unknown>
  /** Encrypted JSON that a JSON Schema describes. */
  EncryptedSchema<Value = unknown>(schema: object): PropertyType<Value>
}

/** The property types: see {@link Types}. */
export const types: Types = Object.freeze({
  BaseType,
  BaseValueType,
  BaseBufferType,
  String: StringType,
  Boolean: BooleanType,
  Number: NumberType,
  PositiveInteger: PositiveIntegerType,
  Date: DateType,
  UUID: UUIDType,
  SlugId: SlugIdType,
  Blob: plainType(blobContent),
  Text: plainType(textContent),
  JSON: plainType(jsonContent),
  Schema: <Value>(schema: object) => plainType(schemaContent(schema)) as PropertyType<Value>,
  SlugIdArray: Object.assign(plainType(slugIdArrayContent), { create: () => new SlugIdArray() }),
  EncryptedBlob: encryptedType(blobContent),
  EncryptedText: encryptedType(textContent),
  EncryptedJSON: encryptedType(jsonContent),
  EncryptedSchema: <Value>(schema: object) =>
    encryptedType(schemaContent(schema)) as PropertyType<Value>,
})
