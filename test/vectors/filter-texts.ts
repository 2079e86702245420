import {
  and,
  booleanProperty,
  comparison,
  constant,
  type FilterNode,
  literalOf,
  not,
  or,
  parseDateTime,
} from '@rowkey/odata'

/** The text of a filter, its tree, and the printed tree when it differs from the text. */
export interface FilterText {
  readonly text: string
  readonly tree: FilterNode
  readonly printed?: string
}

const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'
const SINCE = "datetime'2012-11-10T03:04:05.2Z'"
const a = comparison('A', 'eq', literalOf(1))
const b = comparison('B', 'eq', literalOf(2))
const c = comparison('C', 'eq', literalOf(3))
const x = (value: Parameters<typeof literalOf>[0], type?: Parameters<typeof literalOf>[1]) =>
  comparison('X', 'eq', literalOf(value, type))

export const filterTexts: readonly FilterText[] = [
  { text: "X eq 'a'", tree: x('a') },
  { text: "X eq ''", tree: x('') },
  { text: "X eq 'O''Neil'", tree: x("O'Neil") },
  { text: "X eq ''''''", tree: x("''") },
  { text: "X eq 'a) and (b'", tree: x('a) and (b') },
  { text: "X eq '%27 größe 😀'", tree: x('%27 größe 😀') },
  { text: 'X eq 5', tree: x(5) },
  { text: 'X eq -5', tree: x(-5) },
  { text: 'X eq 2147483647', tree: x(2_147_483_647) },
  { text: 'X eq 5L', tree: x(5n) },
  { text: 'X eq 5l', tree: x(5n), printed: 'X eq 5L' },
  { text: 'X eq 2147483648L', tree: x(2_147_483_648n) },
  { text: "X eq x'00FF'", tree: x(Uint8Array.of(0, 255)), printed: "X eq X'00ff'" },
  { text: 'X eq -9223372036854775808L', tree: x(-(2n ** 63n)) },
  { text: 'X eq 5.0', tree: x(5, 'Double') },
  { text: 'X eq 5.5', tree: x(5.5) },
  { text: 'X eq 5e1', tree: x(50, 'Double'), printed: 'X eq 50.0' },
  { text: 'X eq 1.5E+3', tree: x(1500, 'Double'), printed: 'X eq 1500.0' },
  { text: 'X eq 1.0E21', tree: x(1e21), printed: 'X eq 1e21' },
  { text: 'X eq 5D', tree: x(5, 'Double'), printed: 'X eq 5.0' },
  { text: 'X eq 5.5d', tree: x(5.5), printed: 'X eq 5.5' },
  { text: 'X eq 5f', tree: x(5, 'Double'), printed: 'X eq 5.0' },
  { text: 'X eq 5.5F', tree: x(5.5), printed: 'X eq 5.5' },
  { text: 'X eq -0.0', tree: x(-0) },
  { text: 'X eq NaN', tree: x(Number.NaN) },
  { text: 'X eq INF', tree: x(Number.POSITIVE_INFINITY) },
  { text: 'X eq -INF', tree: x(Number.NEGATIVE_INFINITY) },
  { text: 'X eq true', tree: x(true) },
  { text: 'X eq false', tree: x(false) },
  { text: `X eq ${SINCE}`, tree: x(parseDateTime('2012-11-10T03:04:05.2Z')) },
  {
    text: "X eq datetime'2012-11-10T03:04:05.200'",
    tree: x(parseDateTime('2012-11-10T03:04:05.2Z')),
    printed: `X eq ${SINCE}`,
  },
  { text: `X eq guid'${GUID}'`, tree: x(GUID, 'Guid') },
  {
    text: `X eq guid'${GUID.toUpperCase()}'`,
    tree: x(GUID, 'Guid'),
    printed: `X eq guid'${GUID}'`,
  },
  { text: "X eq X'0aff'", tree: x(Uint8Array.of(10, 255)) },
  { text: "X eq X'0AFF'", tree: x(Uint8Array.of(10, 255)), printed: "X eq X'0aff'" },
  { text: "X eq binary'0aff'", tree: x(Uint8Array.of(10, 255)), printed: "X eq X'0aff'" },
  { text: "X eq X''", tree: x(Uint8Array.of()) },
  { text: '5 lt X', tree: comparison('X', 'gt', literalOf(5)), printed: 'X gt 5' },
  { text: '5 le X', tree: comparison('X', 'ge', literalOf(5)), printed: 'X ge 5' },
  { text: '5 gt X', tree: comparison('X', 'lt', literalOf(5)), printed: 'X lt 5' },
  { text: '5 ge X', tree: comparison('X', 'le', literalOf(5)), printed: 'X le 5' },
  { text: "'a' ne X", tree: comparison('X', 'ne', literalOf('a')), printed: "X ne 'a'" },
  { text: '1 eq 1', tree: constant(true), printed: 'true' },
  {
    text: "2 lt 1 or 'a' lt 'b'",
    tree: or(constant(false), constant(true)),
    printed: 'false or true',
  },
  { text: 'true', tree: constant(true) },
  { text: 'Flag', tree: booleanProperty('Flag') },
  { text: 'not Flag', tree: not(booleanProperty('Flag')), printed: 'not (Flag)' },
  { text: 'not A eq 1', tree: not(a), printed: 'not (A eq 1)' },
  { text: 'not(A eq 1)', tree: not(a), printed: 'not (A eq 1)' },
  { text: 'not not Flag', tree: not(not(booleanProperty('Flag'))), printed: 'not (not (Flag))' },
  { text: 'not (A eq 1) and B eq 2', tree: and(not(a), b) },
  { text: 'A eq 1 and B eq 2 and C eq 3', tree: and(a, b, c) },
  { text: 'A eq 1 or B eq 2 and C eq 3', tree: or(a, and(b, c)) },
  { text: 'A eq 1 and B eq 2 or C eq 3', tree: or(and(a, b), c) },
  { text: 'A eq 1 and (B eq 2 or C eq 3)', tree: and(a, or(b, c)) },
  { text: '(A eq 1) and ((B eq 2))', tree: and(a, b), printed: 'A eq 1 and B eq 2' },
  { text: '(A eq 1)and(B eq 2)', tree: and(a, b), printed: 'A eq 1 and B eq 2' },
  { text: '(A eq 1 and B eq 2) and C eq 3', tree: { kind: 'and', operands: [and(a, b), c] } },
  { text: ' \t A  eq\n1 ', tree: a, printed: 'A eq 1' },
  { text: '((A)) eq (1)', tree: a, printed: 'A eq 1' },
  {
    text: "PartitionKey eq 'Smith' and RowKey ge 'J'",
    tree: and(
      comparison('PartitionKey', 'eq', literalOf('Smith')),
      comparison('RowKey', 'ge', literalOf('J')),
    ),
  },
  {
    text: `Timestamp gt ${SINCE}`,
    tree: comparison('Timestamp', 'gt', literalOf(parseDateTime('2012-11-10T03:04:05.2Z'))),
  },
  { text: "größe eq '€'", tree: comparison('größe', 'eq', literalOf('€')) },
  { text: 'eq eq 1', tree: comparison('eq', 'eq', literalOf(1)) },
  { text: 'datetime eq 1', tree: comparison('datetime', 'eq', literalOf(1)) },
]

/** An invalid filter, the position of the mistake, and the message. */
export const invalidFilterTexts: readonly {
  readonly text: string
  readonly position: number
  readonly says: RegExp
}[] = [
  { text: 'aaa bbb ccc', position: 4, says: /Syntax error at position 4 in 'aaa bbb ccc'/ },
  { text: 'A eq', position: 4, says: /expected a property, a constant or a parenthesis\.$/ },
  { text: 'eq 1', position: 3, says: /expected the end of the filter\.$/ },
  { text: 'A eq 1 and', position: 10, says: /expected a property, a constant or a parenthesis\.$/ },
  { text: 'and A eq 1', position: 0, says: /unexpected "and"\.$/ },
  { text: 'A eq 1 or or B eq 2', position: 10, says: /unexpected "or"\.$/ },
  { text: '(A eq 1', position: 7, says: /expected a closing parenthesis\.$/ },
  { text: 'A eq 1)', position: 6, says: /expected the end of the filter\.$/ },
  { text: '()', position: 1, says: /expected a property, a constant or a parenthesis\.$/ },
  { text: 'A eq null', position: 5, says: /unexpected "null"\.$/ },
  { text: 'A eq B', position: 5, says: /a property can only be compared with a constant\.$/ },
  {
    text: '(A eq 1) eq true',
    position: 0,
    says: /a property can only be compared with a constant\.$/,
  },
  {
    text: '(A eq 1) eq B',
    position: 12,
    says: /a property can only be compared with a constant\.$/,
  },
  { text: "A eq 'open", position: 5, says: /the string is not closed/ },
  { text: "A eq 'a''", position: 5, says: /the string is not closed/ },
  { text: "A eq 'a'b", position: 8, says: /expected a blank after the closing quote\.$/ },
  { text: "A eq'a'", position: 2, says: /eq'…' is not a literal/ },
  { text: 'A eq 5abc', position: 5, says: /this is not an Int32, Int64 or Double\.$/ },
  { text: 'A eq 5.', position: 5, says: /this is not an Int32, Int64 or Double\.$/ },
  { text: 'A eq .5', position: 5, says: /expected an operand or an operator\.$/ },
  { text: 'A eq 1.5L', position: 5, says: /this is not an Int32, Int64 or Double\.$/ },
  { text: 'A eq 1e400', position: 5, says: /this is not an Int32, Int64 or Double\.$/ },
  { text: 'A eq -', position: 5, says: /this is not an Int32, Int64 or Double\.$/ },
  {
    text: 'A eq 9223372036854775808L',
    position: 5,
    says: /this is not an Int32, Int64 or Double\.$/,
  },
  {
    text: `A eq ${'9'.repeat(50_000)}L`,
    position: 5,
    says: /this is not an Int32, Int64 or Double\.$/,
  },
  { text: 'A eq 2147483648', position: 5, says: /has at most 32 bits; write a larger one/ },
  { text: "A eq X'0'", position: 5, says: /X'…' is not a literal/ },
  { text: "A eq X'0g'", position: 5, says: /X'…' is not a literal/ },
  { text: "A eq b'00'", position: 5, says: /b'…' is not a literal/ },
  { text: "A eq guid'abc'", position: 5, says: /guid'…' is not a literal/ },
  {
    text: "A eq datetime'2012-13-01T00:00:00Z'",
    position: 5,
    says: /datetime'…' is not a literal/,
  },
  { text: "A eq time'13:20:00'", position: 5, says: /time'…' is not a literal/ },
  { text: 'A EQ 1', position: 2, says: /expected the end of the filter\.$/ },
  { text: "PartitionKey eqq 'x'", position: 13, says: /expected the end of the filter\.$/ },
  { text: 'A eq "a"', position: 5, says: /expected an operand or an operator\.$/ },
  { text: "startswith(A,'a')", position: 0, says: /the service does not support functions\.$/ },
  { text: "substringof('a',A)", position: 0, says: /the service does not support functions\.$/ },
  { text: "A eq 'a', B", position: 8, says: /expected the end of the filter\.$/ },
  { text: 'A eq ,', position: 5, says: /expected a property, a constant or a parenthesis\.$/ },
  { text: '5 and RowKey', position: 0, says: /expected a Boolean or a comparison\.$/ },
  { text: 'startswith(A)', position: 0, says: /the service does not support functions\.$/ },
  { text: 'A add 1 eq 2', position: 2, says: /expected the end of the filter\.$/ },
  { text: 'A eq 1 and 5', position: 11, says: /expected a Boolean or a comparison\.$/ },
  { text: "'a'", position: 0, says: /expected a Boolean or a comparison\.$/ },
  { text: 'PartitionKey', position: 0, says: /expected a Boolean or a comparison\.$/ },
  { text: 'not 5', position: 4, says: /expected a Boolean or a comparison\.$/ },
  {
    text: 'PartitionKey eq 5',
    position: 16,
    says: /PartitionKey has the type String, but this constant has the type Int32\.$/,
  },
  {
    text: '5 lt RowKey',
    position: 0,
    says: /RowKey has the type String, but this constant has the type Int32\.$/,
  },
  {
    text: "Timestamp gt '2012'",
    position: 13,
    says: /Timestamp has the type DateTime, but this constant has the type String\.$/,
  },
  { text: "1 eq 'a'", position: 5, says: /Int32 and String cannot be compared\.$/ },
  { text: 'A eq 1 eq 2', position: 7, says: /expected the end of the filter\.$/ },
  { text: 'A-B eq 1', position: 1, says: /this is not an Int32, Int64 or Double\.$/ },
  { text: '$filter', position: 0, says: /expected an operand or an operator\.$/ },
]
