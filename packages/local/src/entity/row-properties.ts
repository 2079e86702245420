import type { EdmType, EdmValue } from '@rowkey/odata'
import type { StoredProperties, StoredProperty } from './stored-entity.ts'

/** The names and types of some properties, which all rows with the same properties share. */
class Shape {
  readonly names: readonly string[]
  readonly types: readonly EdmType[]
  readonly #longer = new Map<string, Shape>()

  constructor(names: readonly string[], types: readonly EdmType[]) {
    this.names = names
    this.types = types
  }

  /** Returns the shape with one more property. */
  with(name: string, type: EdmType): Shape {
    const longer = this.#longer.get(type + name)
    if (longer !== undefined) return longer
    const made = new Shape([...this.names, name], [...this.types, type])
    if (++shapes > MOST_SHAPES) forgetShapes()
    else this.#longer.set(type + name, made)
    return made
  }
}

/** Shapes to find again at most. Rows hold the others. */
const MOST_SHAPES = 1_000
let shapes = 0
let empty = new Shape([], [])

function forgetShapes(): void {
  shapes = 0
  empty = new Shape([], [])
}

/** The properties of a row. Only their values belong to the row, so it needs a third of the memory of a Map. */
export class RowProperties implements StoredProperties {
  readonly #shape: Shape
  readonly #values: readonly EdmValue[]

  /** @param properties - each name once, in the order of responses */
  constructor(properties: Iterable<readonly [name: string, property: StoredProperty]>) {
    const values: EdmValue[] = []
    let shape = empty
    for (const [name, { type, value }] of properties) {
      shape = shape.with(name, type)
      values.push(value)
    }
    this.#shape = shape
    this.#values = values
  }

  get size(): number {
    return this.#values.length
  }

  has(name: string): boolean {
    return this.#shape.names.includes(name)
  }

  get(name: string): StoredProperty | undefined {
    return this.#at(this.#shape.names.indexOf(name))
  }

  keys(): Iterable<string> {
    return this.#shape.names
  }

  values(): Iterable<StoredProperty> {
    return this.#shape.names.map((_, index) => this.#at(index)!)
  }

  [Symbol.iterator](): Iterator<[string, StoredProperty]> {
    const { names } = this.#shape
    return names.map((name, index): [string, StoredProperty] => [name, this.#at(index)!]).values()
  }

  #at(index: number): StoredProperty | undefined {
    const type = this.#shape.types[index]
    // The shape has the type of each value; the compiler cannot relate two lookups by one index.
    return type && ({ type, value: this.#values[index] } as StoredProperty)
  }
}
