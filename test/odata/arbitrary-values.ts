import {
  DateTimeValue,
  EDM_TYPES,
  type EdmType,
  type EdmValue,
  EntityProperty,
} from '@rowkey/odata'
import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'

const MIN_MS = Date.UTC(1601, 0, 1)
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Every value of each type; unusual values are frequent. */
export const arbitraryValues: { readonly [Type in EdmType]: fc.Arbitrary<EdmValue<Type>> } = {
  Binary: fc.uint8Array({ maxLength: 40 }),
  Boolean: fc.boolean(),
  DateTime: fc
    .tuple(fc.integer({ min: MIN_MS, max: MAX_MS }), fc.integer({ min: 0, max: 9_999 }))
    .map(([ms, ticks]) => new DateTimeValue(ms, ticks)),
  Double: fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 1e21, -1e300, 0.1)),
  Guid: fc.uuid(),
  Int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  Int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  String: fc.oneof(
    anyText({ maxLength: 30 }),
    fc.constantFrom("'", "''", '"a":3.0,', '\\', ' and ', '\\"x":1.0', '\u2028'),
  ),
}

/** A typed value of any type. */
export const arbitraryProperty: fc.Arbitrary<EntityProperty> = fc
  .constantFrom(...EDM_TYPES)
  .chain((type): fc.Arbitrary<EntityProperty> => {
    const values: fc.Arbitrary<EdmValue> = arbitraryValues[type]
    return values.map((value) => EntityProperty.of(value, type))
  })

/** Valid property names, with `__proto__` and names of `Object.prototype`. */
export const arbitraryName: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/) },
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'größe',
    'имя',
    '_',
    'x1',
    'eq',
    'datetime',
  ),
)
