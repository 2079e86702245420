/** Where one value stands in a JSON text, and the values that it holds. */
export interface JsonSource {
  readonly start: number
  /** The place after its last character. */
  readonly end: number
  /** Of an object: each name with its values in the order of the text; a name may occur twice. */
  readonly members?: ReadonlyMap<string, readonly JsonSource[]>
  /** Of an array: its elements. */
  readonly elements?: readonly JsonSource[]
}

/** A number of a JSON text, as it is spelled there. */
export interface JsonNumber {
  readonly start: number
  readonly text: string
  /** The number that `JSON.parse` makes of it. */
  readonly value: number
}

/** A JSON text, taken apart. */
export interface JsonDocument {
  readonly text: string
  readonly root: JsonSource
  /** Every number in the text, in its order. */
  readonly numbers: readonly JsonNumber[]
}

/** An object or array whose end was not seen yet. */
interface Open {
  readonly start: number
  end: number
  readonly members?: Map<string, JsonSource[]>
  readonly elements?: JsonSource[]
  /** The name whose value comes next. */
  name?: string | undefined
}

/** What carries meaning in valid JSON; commas, colons and blanks do not. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s:,[\]{}"]+/g
const NUMBER = /^[-\d]/

/**
 * Finds every value and every number in a JSON text.
 *
 * @param text - text that `JSON.parse` accepts
 */
export function readJsonSource(text: string): JsonDocument {
  const numbers: JsonNumber[] = []
  const top: Open = { start: 0, end: 0, elements: [] }
  const open = [top]
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const end = start + token.length
    const parent = open.at(-1) as Open // the text is valid: every closing bracket has its opening one
    if (token === '}' || token === ']') {
      parent.end = end
      open.pop()
    } else if (token === '{' || token === '[') {
      const part = token === '{' ? { members: new Map<string, JsonSource[]>() } : { elements: [] }
      const container: Open = { start, end, ...part }
      add(parent, container)
      open.push(container)
    } else if (parent.members !== undefined && parent.name === undefined) {
      parent.name = JSON.parse(token) as string
    } else {
      if (NUMBER.test(token)) numbers.push({ start, text: token, value: Number(token) })
      add(parent, { start, end })
    }
  }
  return { text, root: top.elements?.[0] as JsonSource, numbers }
}

function add(parent: Open, value: JsonSource): void {
  parent.elements?.push(value)
  if (parent.members === undefined || parent.name === undefined) return
  const values = parent.members.get(parent.name)
  if (values === undefined) parent.members.set(parent.name, [value])
  else values.push(value)
  parent.name = undefined
}
