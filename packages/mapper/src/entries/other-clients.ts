/** Values and encrypted rows as Java and .NET clients stored them: `import { timeSpanText } from '@rowkey/mapper/other-clients'`. */
export {
  type EnumTextOptions,
  enumText,
  javaDate,
  type NestedProperties,
  type NumericEnum,
  nestedProperties,
  timeSpanText,
  unsignedInt32,
  unsignedInt64,
} from '../convert/other-clients.ts'
export {
  decryptClientEntity,
  type UnwrapContentKey,
  type WrappedContentKey,
} from '../encryption/client-encryption.ts'
