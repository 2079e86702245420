/** The place of one value in a JSON text, and the values in it. */
export interface JsonSource {
  readonly start: number
  /** The place after its last character. */
  readonly end: number
  /** The members of an object: each name with its values in the order of the text. A name may occur twice. */
  readonly members?: ReadonlyMap<string, readonly JsonSource[]>
  /** The elements of an array. */
  readonly elements?: readonly JsonSource[]
}

/** A number of a JSON text, in its spelling there. */
export interface JsonNumber {
  readonly start: number
  readonly text: string
  /** The number that `JSON.parse` makes of it. */
  readonly value: number
}

/** A JSON text with the places of its values. */
export interface JsonDocument {
  readonly text: string
  readonly root: JsonSource
  /** Every number in the text, in its order. */
  readonly numbers: readonly JsonNumber[]
}

/** An object or array whose end has not been reached. */
interface Open {
  readonly start: number
  end: number
  readonly members?: Map<string, JsonSource[]>
  readonly elements?: JsonSource[]
  /** The name whose value comes next. */
  name?: string | undefined
}

/** The tokens of valid JSON, except commas and colons. */
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
