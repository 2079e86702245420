export {
  decodeBase64Url,
  decodeBase64UrlText,
  encodeBase64Url,
  encodeBase64UrlText,
} from './edm/base64.ts'
export { DateTimeValue, parseDateTime, printDateTime, ticksOf } from './edm/date-time-value.ts'
export type { EdmCodec } from './edm/edm-codec.ts'
export { edmCodecs } from './edm/edm-codecs.ts'
export {
  EDM_TYPES,
  type EdmType,
  type EdmValue,
  type EdmValues,
  isEdmType,
} from './edm/edm-type.ts'
export { inferEdmType } from './edm/infer-edm-type.ts'
export { isWellFormed, writeJsonText } from './edm/json-text.ts'
export { annotationName, isAnnotation } from './entity/annotation.ts'
export { DynamicEntity, type DynamicProperties } from './entity/dynamic-entity.ts'
export { dynamicEntityCodec, uncheckedDynamicCodec } from './entity/dynamic-entity-codec.ts'
export type { EntityCodec, RawEntity } from './entity/entity-codec.ts'
export {
  checkEntityKey,
  checkKeyText,
  compareKeys,
  type EntityKey,
  type KeyCheck,
} from './entity/entity-key.ts'
export { EntityProperty } from './entity/entity-property.ts'
export { timestampOfEtag } from './entity/etag-timestamp.ts'
export { type MemberText, memberText, writeMember } from './entity/member-text.ts'
export { parseEntityJson } from './entity/parse-entity-json.ts'
export { isRawEntity, parseEntityObject } from './entity/parse-entity-object.ts'
export {
  checkCustomPropertyName,
  checkPropertyName,
  checkPropertyText,
  type PropertyNameCheck,
  systemPropertyNames,
} from './entity/property-name.ts'
export { propertyNamesOf } from './entity/read-properties.ts'
export { edmTypeOf, readProperty } from './entity/read-property.ts'
export {
  DecodeError,
  type DecodeErrorDetails,
  type DecodeErrorOptions,
  type UnreadableRow,
  unreadableRow,
} from './errors/decode-error.ts'
export { EntityJsonError } from './errors/entity-json-error.ts'
export { EntityKeyError, type EntityKeyErrorOptions } from './errors/entity-key-error.ts'
export {
  FilterSyntaxError,
  type FilterSyntaxErrorOptions,
  type OperandTypes,
} from './errors/filter-syntax-error.ts'
export { InputError, type InputErrorDetails, type InputErrorOptions } from './errors/input-error.ts'
export { PropertyNameError, type PropertyNameErrorOptions } from './errors/property-name-error.ts'
export {
  PropertyValueError,
  type PropertyValueErrorOptions,
} from './errors/property-value-error.ts'
export { isRowkeyError, RowkeyError, type RowkeyErrorOptions } from './errors/rowkey-error.ts'
export type { TypedValue } from './filter/compare-values.ts'
export { comparison } from './filter/comparison.ts'
export { countComparisons, MAX_COMPARISONS } from './filter/count-comparisons.ts'
export { evaluateFilter, type PropertyLookup } from './filter/evaluate-filter.ts'
export { filter } from './filter/filter.ts'
export { literalOf } from './filter/filter-literal.ts'
export {
  COMPARISON_OPERATORS,
  type ComparisonNode,
  type ComparisonOperator,
  type ConstantNode,
  type FilterLiteral,
  type FilterNode,
  type LogicalNode,
  type NotNode,
  type PropertyNode,
  type RawNode,
} from './filter/filter-node.ts'
export { type Interval, type KeyBounds, keyBounds } from './filter/key-bounds.ts'
export { and, booleanProperty, constant, not, or } from './filter/logical.ts'
export { parseFilter } from './filter/parse-filter.ts'
export { pointReadsOf } from './filter/point-reads.ts'
export { printFilter } from './filter/print-filter.ts'
export { type DigestedQuery, queryDigest } from './filter/query-digest.ts'
export { rawFilter } from './filter/raw-filter.ts'
