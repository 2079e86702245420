import { cliInputError } from '../errors/codes.ts'
import { LONGEST_LINE } from './text-lines.ts'

/** An object of a JSON text. */
export interface JsonObject {
  readonly text: string
  /** Where it begins: `line 2, column 1`. */
  readonly place: string
}

/** The end of a text that names the array of a wrapper: `{ "value": [`. */
const WRAPPED = /"(?:value|items)"\s*:\s*$/

/** What matters outside of strings, and within them. */
const MARK = /["{}[\]\n]/g
const IN_STRING = /["\\]/g

/**
 * Splits JSON into the objects of its rows, however it is formatted: an array, an array in an object as `value` or `items`, or
 * objects one after the other. It keeps one object in memory.
 *
 * @param chunks - the text
 * @param file - the name of the file, for messages
 * @throws InputError with the code `UnreadableInput` that names the line
 */
export async function* jsonObjects(
  chunks: AsyncIterable<string>,
  file: string,
): AsyncGenerator<JsonObject, void, undefined> {
  const splitter = new JsonSplitter(file)
  for await (const chunk of chunks) yield* splitter.split(chunk)
  splitter.end()
}

class JsonSplitter {
  readonly #file: string
  #line = 1
  /** How many characters are before the chunk, before the line, and before the mark that is looked at. */
  #read = 0
  #lineStart = 0
  #at = 0
  /** How many braces and brackets are open, and how many of them are around a row. */
  #depth = 0
  #around = 0
  #isInString = false
  /** Whether a backslash ended the last chunk within a string. */
  #isEscaped = false
  /** Whether the rows of a wrapper have ended: what follows in it does not matter. */
  #isOver = false
  /** The object so far; empty between objects. */
  #text = ''
  #begin = ''

  constructor(file: string) {
    this.#file = file
  }

  *split(chunk: string): Generator<JsonObject, void, undefined> {
    let from = 0 // what follows is not kept yet
    let at = this.#isEscaped ? 1 : 0
    if (chunk !== '') this.#isEscaped = false
    while (at < chunk.length) {
      const pattern = this.#isInString ? IN_STRING : MARK
      pattern.lastIndex = at
      const mark = pattern.exec(chunk)
      const end = mark?.index ?? chunk.length
      this.#at = this.#read + end
      if (!this.#isInString) this.#checkGap(chunk, at, end)
      if (mark === null) break
      at = end + 1
      const [character] = mark
      if (this.#isInString) {
        if (character === '"') this.#isInString = false
        else if (at === chunk.length) this.#isEscaped = true
        else at++
        continue
      }
      if (character === '"') {
        this.#checkRow()
        this.#isInString = true
      } else if (character === '\n') {
        this.#line++
        this.#lineStart = this.#read + at
      } else if (character === '{' || character === '[') {
        if (this.#opens(character, chunk, from, end)) from = end
      } else if (this.#closes(character)) {
        const text = this.#text + chunk.slice(from, at)
        this.#text = ''
        from = at
        yield { text, place: this.#begin }
      }
    }
    this.#read += chunk.length
    if (!this.#isRow) return
    this.#text += chunk.slice(from)
    if (this.#text.length > LONGEST_LINE) {
      throw this.#unreadable('The object is longer than any row.', this.#begin)
    }
  }

  end(): void {
    if (this.#depth === 0) return
    this.#at = this.#read
    throw this.#unreadable('The text ends within its JSON.', this.#isRow ? this.#begin : this.#here)
  }

  get #isRow(): boolean {
    return !this.#isOver && this.#depth > this.#around
  }

  /**
   * Opens an object or an array.
   *
   * @returns whether a row begins, or an array of rows
   */
  #opens(character: string, chunk: string, from: number, end: number): boolean {
    const begins = !this.#isRow && !this.#isOver
    if (character === '[' && begins) {
      if (this.#depth > 0) throw this.#noRow()
      this.#around = 1
    } else if (character === '[' && this.#depth === 1) {
      const before = (this.#text + chunk.slice(from, end)).slice(-100)
      if (WRAPPED.test(before)) {
        this.#around = 2
        this.#text = ''
      }
    } else if (begins) this.#begin = this.#here
    this.#depth++
    return begins
  }

  /**
   * Closes an object or an array.
   *
   * @returns whether a row ends
   */
  #closes(character: string): boolean {
    const wasRow = this.#isRow
    this.#depth--
    if (this.#depth < 0) throw this.#unreadable('The JSON closes more than it opens.')
    if (wasRow) return !this.#isRow
    if (character === ']') this.#isOver = true
    if (this.#depth === 0) {
      this.#around = 0
      this.#isOver = false
    }
    return false
  }

  #checkGap(chunk: string, from: number, end: number): void {
    if (this.#isRow || this.#isOver) return
    const found = chunk.slice(from, end).search(/[^\s,]/)
    if (found < 0) return
    this.#at = this.#read + from + found
    throw this.#noRow()
  }

  #checkRow(): void {
    if (!this.#isRow && !this.#isOver) throw this.#noRow()
  }

  #noRow(): Error {
    return this.#unreadable('This is not the JSON of rows: each must be an object.')
  }

  get #here(): string {
    return `line ${this.#line}, column ${this.#at - this.#lineStart + 1}`
  }

  #unreadable(reason: string, place = this.#here): Error {
    return cliInputError('UnreadableInput', `${this.#file}, ${place}: ${reason}`)
  }
}
