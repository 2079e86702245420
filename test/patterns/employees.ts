import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { type Flavour, type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'

/** An account on an embedded service of its own. */
export interface Office {
  readonly account: Account
  /** Every request that was sent. */
  readonly sent: HttpRequest[]
  /**
   * Opens another account on the same service, as another program has it.
   *
   * @param life - the requests after which the program dies; it lives when absent
   */
  rival(life?: number): Account
  /** Opens another account on the same service, over a network of its own. */
  over(network: (service: Transport) => Transport): Account
  /** Runs once, before the next request that matches is sent. */
  between(matches: (request: HttpRequest) => boolean, act: () => Promise<unknown>): void
  /** Runs once, while a program of this office sleeps next. */
  asleep(act: () => Promise<unknown>): void
  /** Milliseconds since 1970, moved by sleeping only. */
  now: number
}

/** Opens an account with nothing in it, whose clock moves only by sleeping. */
export function office(flavour: Flavour = 'storage'): Office {
  const { transport, connectionString } = localTableService({ flavour })
  const sent: HttpRequest[] = []
  let pending: { matches(request: HttpRequest): boolean; act(): Promise<unknown> } | undefined
  const watching: Transport = async (request, limits) => {
    if (pending?.matches(request)) {
      const { act } = pending
      pending = undefined
      await act()
    }
    sent.push(request)
    return transport(request, limits)
  }
  const mortal = (life: number): Transport => {
    let left = life
    return async (request, limits) => {
      if (left-- <= 0) throw new Error('The program has died.')
      return transport(request, limits)
    }
  }
  let ids = 0
  let nightly: (() => Promise<unknown>) | undefined
  const open = (through: Transport) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        flavour,
        transport: through,
        retry: noRetry,
        now: () => opened.now,
        random: () => 0.5,
        newId: () => `id${String(++ids).padStart(8, '0')}`,
        sleep: async (ms) => {
          opened.now += ms / 2
          const act = nightly
          nightly = undefined
          await act?.()
          opened.now += ms / 2
        },
      }),
    )
  const opened: Office = {
    account: open(watching),
    sent,
    now: Date.now(),
    rival: (life = Number.POSITIVE_INFINITY) => open(mortal(life)),
    over: (network) => open(network(transport)),
    between(matches, act) {
      pending = { matches, act }
    },
    asleep(act) {
      nightly = act
    },
  }
  return opened
}

/** Tells whether a request is an entity group transaction. */
export const isBatch = (request: HttpRequest): boolean => request.path.endsWith('$batch')

/** Defines the employees of the design guide. A model of its own, because indexes are declared on models. */
export function defineEmployee() {
  return defineEntity({
    name: 'employees',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.number().int(),
      firstName: z.string(),
      lastName: z.string().optional(),
      email: z.string().optional(),
      age: z.int32().optional(),
    }),
    storeAs: { email: 'mail' },
  })
}

/** One employee of the design guide. */
export const jones = {
  department: 'Sales',
  id: 223,
  firstName: 'Jon',
  lastName: 'Jones',
  email: 'jonesj@contoso.com',
  age: 42,
}

/** A generator of numbers that gives the same sequence for the same seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
