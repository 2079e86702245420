import { DateTimeValue, type EdmType, type EdmValue } from '@rowkey/odata'

/** One value on the wire: in JSON, with or without an annotation, and in a `$filter`. */
export interface EdmVector {
  readonly type: EdmType
  readonly value: EdmValue
  readonly json: string
  readonly annotated: boolean
  readonly literal: string
}

const vector =
  (type: EdmType, annotated: boolean) =>
  (value: EdmValue, json: string, literal = json, isAnnotated = annotated): EdmVector => ({
    type,
    value,
    json,
    annotated: isAnnotated,
    literal,
  })

const binary = vector('Binary', true)
const boolean = vector('Boolean', false)
const dateTime = vector('DateTime', true)
const double = vector('Double', false)
const guid = vector('Guid', true)
const int32 = vector('Int32', false)
const int64 = vector('Int64', true)
const string = vector('String', false)

/** The forms are those of the REST reference, "Understanding the Table service data model" and "Querying tables and entities". */
export const edmValues: readonly EdmVector[] = [
  binary(Uint8Array.of(), '""', "X''"),
  binary(Uint8Array.of(0), '"AA=="', "X'00'"),
  binary(Uint8Array.of(1, 2), '"AQI="', "X'0102'"),
  binary(Uint8Array.of(0xde, 0xad, 0xbe, 0xef, 0xff, 0xfe), '"3q2+7//+"', "X'deadbeeffffe'"),
  boolean(true, 'true'),
  boolean(false, 'false'),
  dateTime(
    DateTimeValue.parse('2012-11-10T03:04:05.2Z'),
    '"2012-11-10T03:04:05.2Z"',
    "datetime'2012-11-10T03:04:05.2Z'",
  ),
  dateTime(
    DateTimeValue.parse('2017-11-10T02:46:55.7383596Z'),
    '"2017-11-10T02:46:55.7383596Z"',
    "datetime'2017-11-10T02:46:55.7383596Z'",
  ),
  dateTime(
    DateTimeValue.parse('1601-01-01T00:00:00Z'),
    '"1601-01-01T00:00:00Z"',
    "datetime'1601-01-01T00:00:00Z'",
  ),
  dateTime(
    DateTimeValue.parse('9999-12-31T23:59:59.9999999Z'),
    '"9999-12-31T23:59:59.9999999Z"',
    "datetime'9999-12-31T23:59:59.9999999Z'",
  ),
  double(0.1, '0.1'),
  double(-12.5, '-12.5'),
  double(5e-324, '5e-324'),
  double(1.7976931348623157e308, '1.7976931348623157e308', undefined, true),
  double(3, '3.0', undefined, true),
  double(0, '0.0', undefined, true),
  double(-0, '-0.0', undefined, true),
  double(1e21, '1e21', undefined, true),
  double(1e20, '100000000000000000000.0', undefined, true),
  double(Number.NaN, '"NaN"', 'NaN', true),
  double(Number.POSITIVE_INFINITY, '"Infinity"', 'INF', true),
  double(Number.NEGATIVE_INFINITY, '"-Infinity"', '-INF', true),
  guid(
    'c9da6455-213d-42c9-9a79-3e9149a57833',
    '"c9da6455-213d-42c9-9a79-3e9149a57833"',
    "guid'c9da6455-213d-42c9-9a79-3e9149a57833'",
  ),
  int32(0, '0'),
  int32(2_147_483_647, '2147483647'),
  int32(-2_147_483_648, '-2147483648'),
  int64(0n, '"0"', '0L'),
  int64(9_007_199_254_740_993n, '"9007199254740993"', '9007199254740993L'),
  int64(2n ** 63n - 1n, '"9223372036854775807"', '9223372036854775807L'),
  int64(-(2n ** 63n), '"-9223372036854775808"', '-9223372036854775808L'),
  string('', '""', "''"),
  string("O'Neil", '"O\'Neil"', "'O''Neil'"),
  string('a "quoted" \\ word', '"a \\"quoted\\" \\\\ word"', '\'a "quoted" \\ word\''),
  string('line\nbreak\u0000\u007f', '"line\\nbreak\\u0000\u007f"', "'line\nbreak\u0000\u007f'"),
  string('größe € 😀', '"größe € 😀"', "'größe € 😀'"),
]
