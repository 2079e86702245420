import { type FilterNode, FilterSyntaxError, type OperandTypes, parseFilter } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'
import type { QueryParameters } from '../request/query-parameters.ts'

/**
 * Parses the `$filter`; `undefined` when it is absent or blank.
 *
 * @throws Rejection InvalidInput, or NotImplemented for a function of OData
 */
export function readFilter(query: QueryParameters): FilterNode | undefined {
  const text = query.get('$filter')
  if (text === undefined) return undefined
  try {
    return parseFilter(text)
  } catch (error) {
    throw error instanceof FilterSyntaxError ? filterRejection(text, error) : error
  }
}

/** The characters of a token, as far as a rejection must know where one ends. */
const TOKEN = /[^\s()]*/y
const WHOLE = /^-?\d+$/

/** The functions of OData 3.0. The service has none of them. */
const ODATA_FUNCTIONS: ReadonlySet<string> = new Set(
  `substringof endswith startswith length indexof replace substring tolower toupper trim concat
  day hour minute month second year round floor ceiling isof cast`.split(/\s+/),
)

/** The names of the operators in rejections. */
const OPERATOR_KINDS: { readonly [Operator in OperandTypes['operator']]: string } = {
  eq: 'Equal',
  ne: 'NotEqual',
  gt: 'GreaterThan',
  ge: 'GreaterThanOrEqual',
  lt: 'LessThan',
  le: 'LessThanOrEqual',
  and: 'And',
  or: 'Or',
  not: 'Not',
}

/**
 * Makes the rejection of a `$filter`, in the words of the service.
 *
 * @param text - the whole filter
 * @param cause - the syntax error
 */
export function filterRejection(text: string, cause: FilterSyntaxError): Rejection {
  const { calledFunction, operands, position } = cause
  if (calledFunction !== undefined && ODATA_FUNCTIONS.has(calledFunction)) {
    return new Rejection('NotImplemented', { cause })
  }
  const refusal = operands === undefined ? unreadable(text, position) : incompatible(operands)
  return new Rejection('InvalidInput', { text: refusal, cause })
}

/** Returns what the service says about the token at a position; `undefined` for its general text. */
function unreadable(text: string, position: number): string | undefined {
  const token = tokenAt(text, position)
  if (token === 'null') return undefined
  if (WHOLE.test(token) && !isInt32(Number(token))) {
    return `Unrecognized 'Edm.Int32' literal '${token}' at '${position}' in '${text}'.`
  }
  // The service names the end of the token that it does not expect.
  return `Syntax error at position ${position + token.length} in '${text}'.`
}

function incompatible({ operator, types }: OperandTypes): string {
  const [left, right] = types.map((type) => (type === undefined ? "'<null>'" : `'Edm.${type}'`))
  const kind = `operator kind '${OPERATOR_KINDS[operator]}'`
  return right === undefined
    ? `A unary operator with an incompatible type was detected. Found operand type ${left} for ${kind}.`
    : `A binary operator with incompatible types was detected. Found operand types ${left} and ${right} for ${kind}.`
}

function isInt32(number: number): boolean {
  return (number | 0) === number
}

function tokenAt(text: string, start: number): string {
  TOKEN.lastIndex = start
  return TOKEN.exec(text)?.[0] ?? ''
}
