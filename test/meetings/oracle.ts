import { isDeepStrictEqual } from 'node:util'
import type { Facts, Stored, StoredRow } from './stored.ts'

/** What a write does to one row. */
export interface Effect {
  /** The place of the row. */
  readonly place: string
  /** Whether the condition of the write holds for what is stored. */
  readonly holds: (row: StoredRow | undefined) => boolean
  /** What the row says afterwards; `undefined` for a row that is gone. */
  readonly makes: (row: StoredRow | undefined) => Facts | undefined
}

/** What a call said about one effect. */
export type Said =
  /** It was applied. */
  | { readonly how: 'done' }
  /** It was not applied: the condition does not hold. */
  | { readonly how: 'refused'; readonly error: unknown }
  /** It was not applied: it was not sent, or did not arrive. */
  | { readonly how: 'not applied'; readonly error: unknown }
  /** It may have been applied. */
  | { readonly how: 'in doubt'; readonly error: unknown }

/** One step of a history: what a program did, and what it said. */
export interface Step {
  /** Who does what. */
  readonly what: string
  readonly effects: readonly Effect[]
  /** What was said, one for each effect. */
  readonly said: readonly Said[]
  /** Whether all effects are one transaction. */
  readonly isAtomic?: boolean
}

/**
 * Compares what is stored before and after a step with what was said: what was said to be done is stored, what was refused
 * left no trace, what no program touched is unchanged, and what is neither was said to be in doubt.
 *
 * @returns one sentence for each contradiction
 */
export function contradictions(before: Stored, after: Stored, step: Step): readonly string[] {
  const touched = new Set(step.effects.map(({ place }) => place))
  const others = [...new Set([...before.keys(), ...after.keys()])].filter(
    (place) => !touched.has(place),
  )
  const conditions = step.effects.map(({ place, holds }) => holds(before.get(place)))
  const found = step.effects.map((effect, at) =>
    contradiction({
      ...{ effect, before, after },
      said: step.said[at],
      holds: step.isAtomic ? conditions.every((each) => each) : conditions[at] === true,
    }),
  )
  return [
    ...others
      .filter((place) => !isSame(before.get(place), after.get(place)))
      .map((place) => `${place} was not touched, and changed ${change(before, after, place)}`),
    ...found.filter((each) => each !== undefined),
    ...(step.isAtomic ? halfApplied(before, after, step) : []),
  ].map((each) => `${step.what}: ${each}`)
}

/** Tells whether an effect was applied between two moments. */
export function wasApplied(before: Stored, after: Stored, { place }: Effect): boolean {
  return !isSame(before.get(place), after.get(place))
}

interface Checked {
  readonly effect: Effect
  readonly before: Stored
  readonly after: Stored
  readonly said: Said | undefined
  /** Whether the condition held, in a transaction those of all changes. */
  readonly holds: boolean
}

function contradiction({ effect, before, after, said, holds }: Checked): string | undefined {
  const { place, makes } = effect
  const [earlier, later] = [before.get(place), after.get(place)]
  const isApplied = isDeepStrictEqual(later?.facts, makes(earlier))
  const isUntouched = isSame(earlier, later)
  const shown = `${place} changed ${change(before, after, place)}`
  switch (said?.how) {
    case 'done':
      if (!holds) return `said to be done, but its condition did not hold: ${shown}`
      return isApplied
        ? undefined
        : `said to be done, but ${shown}, and should be ${print(makes(earlier), earlier?.facts)}`
    case 'refused':
      if (!isUntouched) return `was refused (${nameOf(said.error)}), but ${shown}`
      return holds ? `was refused (${nameOf(said.error)}) although its condition holds` : undefined
    case 'not applied':
      return isUntouched
        ? undefined
        : `said not to be applied (${nameOf(said.error)}), but ${shown}`
    case 'in doubt':
      return isApplied || isUntouched
        ? undefined
        : `was in doubt (${nameOf(said.error)}), but ${shown}`
    default:
      return 'said nothing'
  }
}

function halfApplied(before: Stored, after: Stored, { effects }: Step): readonly string[] {
  const applied = effects.filter((effect) => wasApplied(before, after, effect)).length
  return applied === 0 || applied === effects.length
    ? []
    : [`${applied} of ${effects.length} changes of a transaction are stored`]
}

/** Compares rows with all that the service says of them, their versions included. */
function isSame(one: StoredRow | undefined, other: StoredRow | undefined): boolean {
  return isDeepStrictEqual(one?.raw, other?.raw)
}

function change(before: Stored, after: Stored, place: string): string {
  const [earlier, later] = [before.get(place)?.facts, after.get(place)?.facts]
  return `from ${print(earlier, later)} to ${print(later, earlier)}`
}

/** Prints what is otherwise in another row. */
function print(facts: Facts | undefined, other: Facts = {}): string {
  if (facts === undefined) return 'nothing'
  const names = Object.keys({ ...facts, ...other })
  const different = names.filter((name) => !isDeepStrictEqual(facts[name], other[name]))
  return JSON.stringify(Object.fromEntries(different.map((name) => [name, facts[name] ?? null])))
}

/** The class, code and beginning of an error. */
export function nameOf(error: unknown): string {
  const { name, code, message }: { name?: string; code?: string; message?: string } = Object(error)
  return `${name} ${code ?? ''}: ${String(message).slice(0, 200)}`
}
