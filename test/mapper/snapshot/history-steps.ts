import fc from 'fast-check'
import type { ETagMode, WriteKind } from './history-aim.ts'
import { scenes } from './history-scenes.ts'

/** Where a step reads or writes; numbers choose among what there is. */
export interface Spot {
  readonly account: number
  readonly table: number
  readonly row: number
  readonly view: number
}

/** How a write is called. */
export type Manner = 'method' | 'batch' | 'operation' | 'operations'

/** What happens to the first request of a write. */
export type Mishap =
  | 'none'
  | 'lost response'
  | 'lost request'
  | 'busy'
  | 'error'
  | 'error after it was applied'
  | 'aborted before'

/** One write of one object. */
export interface WriteStep {
  readonly do: 'write'
  readonly object: number
  readonly how: WriteKind | 'deleteIfExists'
  readonly etag: ETagMode
  /** Where to: as read, or elsewhere. */
  readonly moves: boolean
  readonly spot: Spot
  readonly manner: Manner
  readonly mishap: Mishap
  readonly retries: boolean
  /** Its request waits until a later step. */
  readonly holds: boolean
  /** A second object of the same batch. */
  readonly second: number
  /** A batch is submitted by a later step. */
  readonly isLate: boolean
}

/** What becomes of a request that waits. */
export type Ending = 'applied' | 'answered' | 'lost' | 'dropped' | 'unsent' | 'aborted'

/** One step of a history. */
export type Step =
  | {
      readonly do: 'read'
      readonly spot: Spot
      readonly way: 'get' | 'find' | 'query' | 'getMany' | 'retrieve' | 'batch'
      readonly select: number
      readonly slot: number
    }
  | {
      readonly do: 'make'
      readonly spot: Spot
      readonly values: readonly number[]
      readonly slot: number
    }
  | { readonly do: 'copy'; readonly object: number; readonly slot: number }
  | { readonly do: 'set'; readonly object: number; readonly column: number; readonly value: number }
  | { readonly do: 'freeze'; readonly object: number }
  | { readonly do: 'rename'; readonly object: number; readonly row: number }
  | WriteStep
  | { readonly do: 'settle'; readonly which: number; readonly ending: Ending }
  | {
      readonly do: 'rival'
      readonly spot: Spot
      readonly how: 'merge' | 'replace' | 'delete'
      readonly values: readonly number[]
    }
  | {
      readonly do: 'modify'
      readonly spot: Spot
      readonly column: number
      readonly value: number
      readonly isRivalled: boolean
      readonly mishap: Mishap
      readonly slot: number
    }
  | {
      readonly do: 'reload'
      readonly object: number
      readonly spot: Spot
      readonly moves: boolean
      readonly holds: boolean
    }
  | { readonly do: 'upgrade'; readonly spot: Spot }
  | { readonly do: 'tick' }

/** A history: what the rows are, and what happens. */
export interface History {
  readonly scene: number
  /** What is stored before it begins. */
  readonly rows: readonly Step[]
  readonly steps: readonly Step[]
}

const often = <const Value>(weight: number, value: Value) => ({
  weight,
  arbitrary: fc.constant(value),
})
const small = fc.nat(11)
const values = fc.array(small, { minLength: 1, maxLength: 3 })
const spot: fc.Arbitrary<Spot> = fc.record({
  account: fc.nat(7),
  table: fc.nat(7),
  row: fc.nat(5),
  view: small,
})
const rival = fc.record({
  do: fc.constant('rival' as const),
  spot,
  how: fc.oneof(
    often(6, 'merge' as const),
    often(2, 'replace' as const),
    often(1, 'delete' as const),
  ),
  values,
})
const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  often(24, 'none'),
  often(3, 'lost response'),
  often(2, 'lost request'),
  often(1, 'busy'),
  often(1, 'error'),
  often(1, 'error after it was applied'),
  often(1, 'aborted before'),
)
const how: fc.Arbitrary<WriteStep['how']> = fc.oneof(
  often(8, 'merge'),
  often(4, 'replace'),
  often(2, 'insertOrMerge'),
  often(2, 'insertOrReplace'),
  often(2, 'insert'),
  often(1, 'delete'),
  often(1, 'deleteIfExists'),
)
const etag: fc.Arbitrary<ETagMode> = fc.oneof(often(6, 'own'), often(3, 'past'), often(1, 'given'))
const manner: fc.Arbitrary<Manner> = fc.oneof(
  often(6, 'method'),
  often(2, 'batch'),
  often(1, 'operation'),
  often(1, 'operations'),
)
const seldom = fc.oneof(often(7, false), often(1, true))

/** How the steps of a history are chosen. */
interface Mood {
  /** The objects that the steps are about. */
  readonly slot: fc.Arbitrary<number>
  /** Whether a request waits for a later step. */
  readonly holds: fc.Arbitrary<boolean>
  /** How often an object is reloaded, and how often a request that waits is answered. */
  readonly reloads: number
  readonly settles: number
}

const stepsIn = ({ slot, holds, reloads, settles }: Mood): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant('read' as const),
        spot,
        way: fc.constantFrom('get', 'get', 'find', 'query', 'getMany', 'retrieve', 'batch'),
        select: fc.oneof(often(2, 0), { weight: 1, arbitrary: fc.nat(31) }),
        slot,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('make' as const), spot, values, slot }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('copy' as const), object: slot, slot }),
    },
    {
      weight: 18,
      arbitrary: fc.record({
        do: fc.constant('set' as const),
        object: slot,
        column: small,
        value: small,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('rename' as const), object: slot, row: fc.nat(5) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('freeze' as const), object: slot }),
    },
    {
      weight: 24,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        object: slot,
        how,
        etag,
        moves: seldom,
        spot,
        manner,
        mishap,
        retries: seldom,
        holds,
        second: fc.nat(7),
        isLate: holds,
      }),
    },
    {
      weight: settles,
      arbitrary: fc.record({
        do: fc.constant('settle' as const),
        which: fc.nat(2),
        ending: fc.constantFrom<Ending[]>(
          'answered',
          'answered',
          'applied',
          'lost',
          'dropped',
          'unsent',
          'aborted',
        ),
      }),
    },
    { weight: 8, arbitrary: rival },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('modify' as const),
        spot,
        column: small,
        value: small,
        isRivalled: seldom,
        mishap,
        slot,
      }),
    },
    {
      weight: reloads,
      arbitrary: fc.record({
        do: fc.constant('reload' as const),
        object: slot,
        spot,
        moves: seldom,
        holds,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('upgrade' as const), spot }) },
    { weight: 4, arbitrary: fc.constant({ do: 'tick' as const }) },
  )

/** Several objects, whose calls seldom overlap. */
const orderly = stepsIn({ slot: fc.nat(3), holds: seldom, reloads: 2, settles: 6 })
/** One or two objects, whose calls overlap all the time. */
const overlapping = stepsIn({
  slot: fc.oneof(often(4, 0), often(1, 1)),
  holds: fc.boolean(),
  reloads: 8,
  settles: 16,
})

/** The most steps of one history. */
const LONGEST = 60

/** Random histories. Every number means something in every state, so that steps can be left out. */
export const histories: fc.Arbitrary<History> = fc.record({
  scene: fc.nat(scenes.length - 1),
  rows: fc.array(rival, { minLength: 1, maxLength: 5, size: 'max' }),
  steps: fc.oneof(
    ...[orderly, overlapping].map((step) =>
      fc.array(step, { minLength: 4, maxLength: LONGEST, size: 'max' }),
    ),
  ),
})
