import {
  deleteEntityIfExists,
  type EntityWrite,
  entityGroupTransaction,
  findEntity,
  insertEntity,
  mergeEntity,
  type Operation,
  type Reconciliation,
  type Transport,
  type WriteResult,
} from '@rowkey/rest'
import { beforeAll, describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { type Finding, findings } from './call-judge.ts'
import type { Operations } from './simulated-calls.ts'
import { networkFaults, type Serve } from './simulated-network.ts'
import { Simulation, type SimulationResult } from './simulation.ts'

/** Enough for every fault, on a machine that does something else as well. */
const PATIENCE = 600_000

const CALLS = randomSteps(20_000)
/** How often each fault happens at least. */
const LEAST = CALLS / 200

describe(`R-24: ${CALLS} calls of 8 clients over a faulty network`, () => {
  let result: SimulationResult

  beforeAll(async () => {
    result = await new Simulation({ seed: 20_261_122, calls: CALLS }).run()
  }, PATIENCE)

  it('tell callers nothing untrue, and leave the table that they describe', () => {
    expect([...result.violations]).toEqual([])
  })

  it.each([...networkFaults, 'abort', 'clock step', 'deadline'] as const)(
    `meet "%s" at least ${LEAST} times`,
    (fault) => {
      expect(result.fired.get(fault)).toBeGreaterThanOrEqual(LEAST)
    },
  )

  it('end in every way', () => {
    for (const ending of ['succeeded', 'failed without effect', 'ended in doubt', 'ambiguous']) {
      expect(result.endings.get(ending)).toBeGreaterThanOrEqual(LEAST)
    }
  })
})

describe('a seed', () => {
  longTest('replays byte for byte', async () => {
    const calls = randomSteps(2_000)
    const [first, again, other] = [
      await new Simulation({ seed: 7, calls }).run(),
      await new Simulation({ seed: 7, calls }).run(),
      await new Simulation({ seed: 8, calls }).run(),
    ]
    expect(again).toEqual(first)
    expect(other.trace).not.toBe(first.trace)
  })
})

/** An operation that settles a doubt by a rule that is wrong. */
function settling<Op extends Operation<EntityWrite, WriteResult>>(
  operation: Op,
  reconcile: Reconciliation<EntityWrite, WriteResult>,
): Op {
  return { ...operation, reconcile }
}

let deletions = 0
let staleRead: ReturnType<typeof findEntity.fromResponse>

/** Clients that are broken on purpose, and the rule that each breaks. */
const brokenClients: readonly (readonly [string, Finding, Partial<Operations>])[] = [
  [
    'takes every rejection of a retry for its own success',
    'false success',
    {
      insert: settling(insertEntity, {
        settle: () => ({ outcome: 'applied', output: {} }),
      }),
    },
  ],
  [
    'believes the rejection of a retry',
    'false failure',
    { merge: settling(mergeEntity, { settle: (error) => ({ outcome: 'rejected', error }) }) },
  ],
  [
    'takes equal content for a proof of a merge',
    'false resolution',
    { merge: settling(mergeEntity, { resolve: async () => 'applied' }) },
  ],
  [
    'forgets that an attempt may have been applied',
    'false failure',
    {
      batch: {
        ...entityGroupTransaction,
        reconcile: { settle: (error) => ({ outcome: 'rejected', error }) },
      },
    },
  ],
  [
    'never says that a delete found its entity',
    'false failure',
    { deleteIfExists: { ...deleteEntityIfExists, fromResponse: () => ({ deleted: false }) } },
  ],
  [
    'forgets what it has done by a key',
    'changed outcome',
    {
      deleteIfExists: {
        ...deleteEntityIfExists,
        fromResponse: () => ({ deleted: ++deletions % 2 === 0 }),
      },
    },
  ],
  [
    'reads from a cache',
    'impossible read',
    {
      find: {
        ...findEntity,
        fromResponse(response, input) {
          staleRead ??= findEntity.fromResponse(response, input)
          return staleRead
        },
      },
    },
  ],
  [
    'throws what callers do not expect',
    'unexpected error',
    {
      find: {
        ...findEntity,
        fromResponse() {
          throw new TypeError('Cannot read properties of undefined')
        },
      },
    },
  ],
]

const MARKER = /~rk~op~[^"]*/g
let attempts = 0

/** Services that are broken on purpose, and the rule that a simulation then finds broken. */
const brokenServices: readonly (readonly [string, Finding, (serve: Serve) => Serve])[] = [
  [
    'gets a new marker with each attempt of an exact write',
    'applied twice',
    (serve) => (request) => {
      const body = request.body?.replace(MARKER, (marker) => `${marker}-${++attempts}`)
      return serve({ ...request, body })
    },
  ],
  [
    'never shows a marker',
    'needless doubt',
    (serve) => async (request) =>
      request.method === 'GET' && request.path.includes('~rk~op~')
        ? { status: 500, headers: {}, body: '' }
        : serve(request),
  ],
  [
    'acknowledges writes that it does not apply',
    'wrong table',
    (serve) => async (request) =>
      request.method === 'PUT' ? { status: 204, headers: {}, body: '' } : serve(request),
  ],
  [
    'stays unavailable after the faults',
    'not finished',
    (serve) => async (request) =>
      request.body?.includes('"end"') ? { status: 500, headers: {}, body: '' } : serve(request),
  ],
]

/** A transport that listens to the signals of calls, and never stops. */
const leaking =
  (transport: Transport): Transport =>
  (request, limits) => {
    limits?.signal?.addEventListener('abort', () => {})
    return transport(request, limits)
  }

/** A service that shows no markers to the sweep. */
const hidingMarkers =
  (serve: Serve): Serve =>
  async (request) =>
    request.method === 'GET' && request.query.includes('~rk~op~')
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{"value":[]}' }
      : serve(request)

/** Enough for each defect to show. */
const BROKEN_CALLS = randomSteps(4_000)

describe('the checks', () => {
  longTest.each([
    ['listeners of a signal', { carry: leaking }],
    ['markers', { around: hidingMarkers }],
  ] as const)('find %s that are left behind', async (_, broken) => {
    const { violations } = await new Simulation({ seed: 3, calls: BROKEN_CALLS, ...broken }).run()
    expect([...violations.keys()]).toContain('left behind')
  })

  longTest.each(brokenClients)('catch a client that %s', async (_, finding, broken) => {
    staleRead = undefined
    const { violations } = await new Simulation({ seed: 3, calls: BROKEN_CALLS, broken }).run()
    expect([...violations.keys()]).toContain(finding)
  })

  longTest.each(brokenServices)('catch a service that %s', async (_, finding, around) => {
    const { violations } = await new Simulation({ seed: 3, calls: BROKEN_CALLS, around }).run()
    expect([...violations.keys()]).toContain(finding)
  })

  it('are all shown to catch something', () => {
    const caught = [...brokenClients, ...brokenServices].map(([, finding]) => finding)
    expect(new Set([...caught, 'left behind'])).toEqual(new Set(Object.keys(findings)))
  })
})
