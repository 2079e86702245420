import type { InjectedFault } from '@rowkey/local'
import type { HttpResponse } from '@rowkey/rest'
import type { Aim } from './history-aim.ts'
import type { Sight } from './history-checks.ts'
import type { StoredChange } from './history-log.ts'
import type { TrackedObject } from './history-object.ts'
import type { SentChange } from './history-rows.ts'
import type { Mishap } from './history-steps.ts'

/** A stored change, and when the service stored it. */
export interface OrderedChange extends StoredChange {
  readonly order: number
}

/** A request that waits for a later step. */
export interface HeldRequest {
  /** Does what is asked, once. */
  apply(): Promise<HttpResponse>
  answer(response: HttpResponse): void
  fail(error: Error): void
  isApplied(): boolean
}

/** What happens to a call. */
interface Fate {
  readonly mishap: Mishap
  /** Its first request waits. */
  readonly holds: boolean
  /** It is made, and sent later. */
  readonly isLate?: boolean
}

/** One call of a client that writes. */
export class Call {
  /** The call as a program has it. */
  readonly about: string
  aims: Aim[] = []
  readonly stored: OrderedChange[] = []
  readonly sights: Sight[] = []
  readonly controller: AbortController = new AbortController()
  /** The first request waits. */
  holds: boolean
  /** What the first request meets at the service. */
  fault: InjectedFault | undefined
  /** Whether anything could have gone wrong that is not the client's doing. */
  readonly isQuiet: boolean
  /** It is made, and sent later. */
  readonly isLate: boolean
  isSent = false
  /** The calls that write the same objects and have not ended: this one waits for them. */
  earlier: readonly Call[] = []
  /** The calls of its objects that were pending when its writes were made, for a batch that is submitted later. */
  pending: readonly Call[] = []
  /** It has resolved or rejected. */
  isOver = false
  held: HeldRequest | undefined
  /** Makes an aim of what is sent, for a call that reads and writes. */
  aimAt: ((change: SentChange) => Aim | undefined) | undefined
  /** Sends a batch that was made and waits; `undefined` when none does. */
  submit: (() => void) | undefined
  /** Told when a request that reads is handed to the service. */
  onRead: () => void = () => {}
  /** Resolves once the call waits: its request, or the batch that it made. */
  isHeld: Promise<void>
  ended: Promise<void> = Promise.resolve()
  #tellHeld: () => void = () => {}

  constructor(about: string, { mishap, holds, isLate = false }: Fate) {
    this.about = about
    this.holds = holds
    this.fault = FAULTS[mishap]
    this.isLate = isLate
    this.isQuiet = mishap === 'none' && !holds && !isLate
    this.isHeld = this.#held()
    if (mishap === 'aborted before') this.controller.abort()
  }

  /** The request waits from now on. */
  hold(held: HeldRequest): void {
    this.held = held
    this.#tellHeld()
  }

  /** A batch was made; resolves when it is to be submitted. */
  made(): Promise<void> {
    for (const { object } of this.aims) object.inFlight.set(this, new Map())
    this.#tellHeld()
    return new Promise((resolve) => {
      this.submit = () => {
        this.submit = undefined
        this.isHeld = this.#held()
        resolve()
      }
    })
  }

  #held(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellHeld = resolve
    })
  }

  /** A call that reads and writes begins again, with another object. */
  restart(): void {
    for (const { object } of this.aims) object.inFlight.delete(this)
    this.aims = []
  }

  /** The objects that are written. */
  get objects(): TrackedObject[] {
    return this.aims.map(({ object }) => object)
  }

  /** The last change of a place that was stored. */
  lastStored(place: string): OrderedChange | undefined {
    return this.stored.findLast((each) => each.place === place)
  }
}

const FAULTS: Readonly<Record<Mishap, InjectedFault | undefined>> = {
  none: undefined,
  'lost response': { kind: 'lost response' },
  'lost request': { kind: 'lost request' },
  busy: { kind: 'rejection', code: 'ServerBusy' },
  error: { kind: 'rejection', code: 'InternalError' },
  'error after it was applied': { kind: 'rejection', code: 'InternalError', applied: true },
  'aborted before': undefined,
}
