/** Values and encrypted rows as Java and .NET clients stored them: `import { timeSpanText } from 'rowkey/other-clients'`. */
export {
  decryptClientEntity,
  type EnumTextOptions,
  enumText,
  javaDate,
  type NestedProperties,
  type NumericEnum,
  nestedProperties,
  timeSpanText,
  type UnwrapContentKey,
  unsignedInt32,
  unsignedInt64,
  type WrappedContentKey,
} from '@rowkey/mapper/other-clients'
