import type { Account } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { AbortError, type HttpRequest, noRetry } from '@rowkey/rest'
import { PARTITION } from '../raw-rows.ts'
import { type Disturbance, lost, type Wire } from '../wire.ts'
import type { Guarantee } from './guarantees.ts'

/** A call in trouble. */
export interface TroubledCall {
  readonly wire: Wire
  readonly account: Account
  /** The name of the table. */
  readonly name: string
  readonly guarantee: Guarantee
  /** Makes the same call with these options. */
  send(options: object): Promise<unknown>
}

/** What goes wrong during a call. */
export interface Trouble {
  /** Prepares it; returns further options of the call. */
  begin?(call: TroubledCall): object | Promise<object>
  /** What arrives after the call has ended and others have written. */
  later?(call: TroubledCall): Promise<void>
  /** Whether the program ends in the middle of the call. */
  readonly kills?: boolean
  /** Which write of the journal fails half way, counted from 1. */
  readonly tornAppend?: number
  /** Whether the input never ends; `close` closes the account, otherwise a deadline passes. */
  readonly stuck?: 'deadline' | 'close'
  /** Milliseconds within which the call must end. */
  readonly endsWithin?: number
}

/** Happens to the first write request alone. */
function once(wire: Wire, disturbance: Disturbance): void {
  wire.disturbance = (request, deliver) => {
    wire.disturbance = undefined
    return disturbance(request, deliver)
  }
}

/** Loses each write. */
const withoutWrites: Disturbance = async (request) => {
  throw lost(request)
}

/** Loses the transaction after so many others, and nothing else. */
function without(nth: number): Disturbance {
  let transactions = 0
  return async (request, deliver) => {
    if (request.path.endsWith('$batch') && transactions++ === nth) throw lost(request)
    return deliver()
  }
}

const DEADLINE = 100
const REQUEST_TIME = 30
/** The earlier calls with the same key that did not arrive. */
const EARLIER_CALLS = 5
/** So many exact writes of a partition make a client delete markers. */
const FURTHER_WRITES = 100

const late = new WeakMap<Wire, HttpRequest>()

async function deliverLate({ wire }: TroubledCall): Promise<void> {
  const request = late.get(wire)
  if (request !== undefined) await wire.deliver(request)
}

export const troubles = {
  none: {},
  'lost answer': {
    begin: ({ wire }) => {
      once(wire, async (request, deliver) => {
        await deliver()
        throw lost(request)
      })
      return {}
    },
  },
  'late attempt': {
    begin: ({ wire }) => {
      once(wire, async (request) => {
        late.set(wire, request)
        throw lost(request)
      })
      return {}
    },
    later: deliverLate,
  },
  'late duplicate': {
    begin: ({ wire }) => {
      once(wire, async (request, deliver) => {
        late.set(wire, request)
        return deliver()
      })
      return {}
    },
    async later(call) {
      const rows = call.account.table(call.name)
      for (let n = 0; call.guarantee.isExact && n < FURTHER_WRITES; n++) {
        await rows.insertOrReplace(new DynamicEntity(PARTITION, 'x', { n }), { exactWrites: true })
      }
      if (call.guarantee.isExact) await rows.delete([PARTITION, 'x'], { etag: '*' })
      await deliverLate(call)
    },
  },
  'error of a proxy': {
    begin: ({ wire }) => {
      once(wire, async (_, deliver) => {
        await deliver()
        return {
          status: 502,
          headers: { 'content-type': 'text/html' },
          body: '<h1>Bad Gateway</h1>',
        }
      })
      return {}
    },
  },
  throttled: {
    begin: ({ wire }) => {
      once(wire, async () => ({
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '1' },
        body: '{"odata.error":{"code":"ServerBusy","message":{"lang":"en-US","value":"Busy."}}}',
      }))
      return {}
    },
  },
  'pages of one row': {
    begin: ({ wire }) => {
      wire.pageSize = 1
      return {}
    },
  },
  abort: {
    begin: ({ wire }) => {
      const controller = new AbortController()
      once(wire, async (_, deliver) => {
        await deliver()
        controller.abort(new Error('enough'))
        throw new AbortError({ reason: controller.signal.reason, mayHaveApplied: true })
      })
      return { signal: controller.signal }
    },
  },
  deadline: {
    async begin({ wire, guarantee, send }) {
      const isKeyed = guarantee.repeats && !guarantee.hasJournal
      // Each earlier call leaves a fence, so that the next one needs one marker more.
      for (let n = 0; isKeyed && n < EARLIER_CALLS; n++) {
        wire.disturbance = without(n)
        await send({ retry: noRetry }).catch(() => {})
      }
      wire.delay = REQUEST_TIME
      wire.disturbance = isKeyed ? undefined : withoutWrites
      return { deadline: DEADLINE }
    },
    endsWithin: DEADLINE + REQUEST_TIME,
  },
  'kill and resume': {
    kills: true,
    begin: ({ wire }) => {
      once(wire, async (_, deliver) => {
        await deliver()
        return wire.die()
      })
      return {}
    },
  },
  'torn header': { tornAppend: 1, kills: true },
  'torn file': { tornAppend: 2 },
  'torn file and kill': {
    tornAppend: 2,
    kills: true,
  },
  'input stuck until the deadline': {
    stuck: 'deadline',
    begin: () => ({ deadline: DEADLINE }),
    endsWithin: DEADLINE,
  },
  'input stuck until close': { stuck: 'close' },
} satisfies Readonly<Record<string, Trouble>> as Readonly<Record<TroubleName, Trouble>>

/** The names of the troubles. */
export type TroubleName =
  | 'none'
  | 'lost answer'
  | 'late attempt'
  | 'late duplicate'
  | 'error of a proxy'
  | 'throttled'
  | 'pages of one row'
  | 'abort'
  | 'deadline'
  | 'kill and resume'
  | 'torn header'
  | 'torn file'
  | 'torn file and kill'
  | 'input stuck until the deadline'
  | 'input stuck until close'
