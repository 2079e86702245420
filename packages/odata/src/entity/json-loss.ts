import { annotationName } from './entity-property.ts'

/** A member of a JSON text that `JSON.parse` would not keep as it is. */
export interface JsonLoss {
  /** The line of the member, from 1. */
  readonly line: number
  /** What would be lost, in a sentence that names the member. */
  readonly reason: string
}

/** An object that is open: its names, and its numbers that would be rounded. */
interface OpenObject {
  readonly names: Set<string>
  readonly rounded: RoundedNumber[]
}

interface RoundedNumber {
  readonly name: string
  readonly digits: string
  /** Where it is in the text. */
  readonly at: number
}

/** Strings, and whether they are names; braces and numbers. The closing quote is optional so that a search takes linear time. */
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|[{}]|-?\d[\d.eE+-]*/g

/**
 * Finds what `JSON.parse` would lose of the JSON of entities without an error: the first of two members of one name, or digits of a
 * whole number whose type the JSON does not show. Programs of other languages write an Int64 as a number, and JavaScript keeps only its
 * first 15 to 17 digits.
 *
 * @param text - valid JSON
 * @returns `undefined` when nothing is lost
 *
 * @example
 * ```ts
 * findJsonLoss('{"n":1,"n":2}')?.reason // '"n" has two values.'
 * ```
 */
export function findJsonLoss(text: string): JsonLoss | undefined {
  const open: OpenObject[] = []
  let name = ''
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(TOKEN)) {
    if (token === '{') open.push({ names: new Set(), rounded: [] })
    else if (token === '}') {
      const { names, rounded = [] } = open.pop() ?? {}
      const loss = rounded.find((each) => !names?.has(annotationName(each.name)))
      if (loss !== undefined) return { line: lineOf(text, loss.at), reason: reasonOf(loss) }
    } else if (string === undefined) {
      if (isRounded(token)) open.at(-1)?.rounded.push({ name, digits: token, at: index })
    } else if (colon !== undefined) {
      name = string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1)
      const names = open.at(-1)?.names
      if (names?.has(name)) {
        return { line: lineOf(text, index), reason: `${JSON.stringify(name)} has two values.` }
      }
      names?.add(name)
    }
  }
  return undefined
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function reasonOf({ name, digits }: RoundedNumber): string {
  const int64 = JSON.stringify({ [annotationName(name)]: 'Edm.Int64', [name]: digits }).slice(1, -1)
  return `${JSON.stringify(name)} has a number that would be rounded. Write an Int64 as text with its type: ${int64}.`
}

/** A number without a fraction or an exponent; longer ones are beyond a Double. */
const WHOLE = /^-?\d{1,400}$/

/** Tells whether a whole number has digits that JavaScript loses. */
function isRounded(token: string): boolean {
  if (!WHOLE.test(token)) return false
  const number = Number(token)
  if (Number.isSafeInteger(number) || !Number.isFinite(number)) return false
  return BigInt(token) !== BigInt(number)
}
