export {
  decodeBase64Url,
  decodeBase64UrlText,
  encodeBase64Url,
  encodeBase64UrlText,
} from './edm/base64-url.ts'
export {
  DateTimeValue,
  dateTimeOfTicks,
  findDateTime,
  parseDateTime,
  printDateTime,
  ticksOf,
} from './edm/date-time-value.ts'
export { describeValue, type EdmCodec } from './edm/edm-codec.ts'
export { edmCodecs, inferEdmType, isGuid, isWellFormed, writeJsonText } from './edm/edm-codecs.ts'
export {
  EDM_TYPES,
  type EdmType,
  type EdmValue,
  type EdmValues,
  isEdmType,
} from './edm/edm-type.ts'
export { decodeHex, encodeHex } from './edm/hex.ts'
export { DynamicEntity, type DynamicProperties } from './entity/dynamic-entity.ts'
export {
  dynamicEntityCodec,
  type EntityCodec,
  edmTypeOf,
  type MemberText,
  memberText,
  propertyNamesOf,
  readProperty,
  typeOfMember,
  uncheckedDynamicCodec,
  writeMember,
} from './entity/entity-codec.ts'
export {
  checkEntityKey,
  checkKeyText,
  compareKeys,
  type EntityKey,
  forbiddenInKeys,
  type KeyCheck,
  MAX_KEY_UNITS,
} from './entity/entity-key.ts'
export {
  annotationName,
  checkCustomPropertyName,
  checkPropertyName,
  checkPropertyText,
  EntityProperty,
  type PropertyNameCheck,
  systemPropertyNames,
} from './entity/entity-property.ts'
export { findJsonLoss, type JsonLoss } from './entity/json-loss.ts'
export {
  isRawEntity,
  keyOfRaw,
  parseEntityJson,
  parseEntityObject,
  type RawEntity,
  timestampOfEtag,
} from './entity/raw-entity.ts'
export { hasSameProperties, holdsProperties } from './entity/same-properties.ts'
export { brand } from './errors/brand.ts'
export type { OdataErrorCode, odataErrorCodes } from './errors/codes.ts'
export {
  DecodeError,
  type DecodeErrorDetails,
  type DecodeErrorOptions,
} from './errors/decode-error.ts'
export { describeKind } from './errors/describe-kind.ts'
export type { CodedDecodeError, CodedInputError, CodeOf, ErrorCodes } from './errors/error-codes.ts'
export { InputError, type InputErrorDetails, type InputErrorOptions } from './errors/input-error.ts'
export { invalidOption } from './errors/invalid-option.ts'
export {
  errorJson,
  isRowkeyError,
  RowkeyError,
  type RowkeyErrorOptions,
} from './errors/rowkey-error.ts'
export { type UnreadableRow, unreadableRow } from './errors/unreadable-row.ts'
export { beginsOtherwise, beginsWith, prefixEnd } from './filter/begins-with.ts'
export { evaluateFilter, type PropertyLookup, type TypedValue } from './filter/evaluate-filter.ts'
export {
  booleanProperty,
  COMPARISON_OPERATORS,
  type ComparisonNode,
  type ComparisonOperator,
  type ConstantNode,
  comparison,
  constant,
  countComparisons,
  type FilterLiteral,
  type FilterNode,
  FilterSyntaxError,
  type FilterSyntaxErrorOptions,
  type FilterUse,
  type LogicalNode,
  literalOf,
  MAX_COMPARISONS,
  type NotNode,
  type OperandTypes,
  type PropertyNode,
  propertiesIn,
  type RawNode,
  usesIn,
} from './filter/filter-node.ts'
export { filter } from './filter/filter-tag.ts'
export { type Interval, type KeyBounds, keyBounds, pointReadsOf } from './filter/key-bounds.ts'
export { and, conjunctsOf, not, or } from './filter/logical-node.ts'
export { parseFilter } from './filter/parse-filter.ts'
export { printFilter } from './filter/print-filter.ts'
export { type DigestedQuery, fnv1a, queryDigest } from './filter/query-digest.ts'
export { rawFilter } from './filter/raw-filter.ts'
export {
  type DeclaredOptions,
  declareOptions,
  type OptionRules,
} from './options/declare-options.ts'
export {
  aFunction,
  anything,
  brokenRule,
  checkValue,
  milliseconds,
  oneOf,
  type Reject,
  type Rule,
  required,
  rule,
  showingText,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from './options/rule.ts'
export { TokenTrail } from './paging/token-trail.ts'
