import type { Definition } from '../definition/definition.ts'
import { entitiesInputError } from '../errors/codes.ts'
import type { Binding } from './binding.ts'

/** One record for each class that was made, which its subclasses inherit. */
export class ClassRecords<Value> {
  readonly #byPrototype = new WeakMap<object, Value>()

  /** Keeps the record of a class, by its prototype. */
  set(prototype: object, value: Value): void {
    this.#byPrototype.set(prototype, value)
  }

  /** Returns the record of the nearest class of a prototype or an instance. */
  of(start: object): Value | undefined {
    for (let place: object | null = start; place !== null; place = Object.getPrototypeOf(place)) {
      const value = this.#byPrototype.get(place)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/** What `configure` made of each class. */
export const definitions: ClassRecords<Definition> = new ClassRecords()

/** What `setup` made of each class. */
export const bindings: ClassRecords<Binding> = new ClassRecords()

/**
 * Returns what `configure` made of a class.
 *
 * @param prototype - its prototype, or an instance
 * @throws InputError (`InvalidState`) before `configure`
 */
export function definitionOf(prototype: object): Definition {
  const definition = definitions.of(prototype)
  if (definition !== undefined) return definition
  throw inState('The class is not configured. Call Entity.configure first.')
}

/**
 * Returns what `setup` made of a class.
 *
 * @param prototype - its prototype, or an instance
 * @throws InputError (`InvalidState`) before `setup`
 */
export function bindingOf(prototype: object): Binding {
  const binding = bindings.of(prototype)
  if (binding !== undefined) return binding
  throw inState('The class is not set up. Call setup and use the class that it returns.')
}

/**
 * Checks that a class can be configured or set up.
 *
 * @throws InputError (`InvalidState`) after `setup`
 */
export function checkNotSetUp(prototype: object): void {
  if (bindings.of(prototype) === undefined) return
  throw inState(
    'The class is already set up. Call configure and setup on the class that was not set up.',
  )
}

const inState = (message: string) => entitiesInputError('InvalidState', message)
