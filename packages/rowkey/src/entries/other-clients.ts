/** Values as Java and .NET clients stored them: `import { timeSpanText } from 'rowkey/other-clients'`. */
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
} from '@rowkey/mapper'
