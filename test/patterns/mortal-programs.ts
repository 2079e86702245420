import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { noRetry, type Transport, tableService } from '@rowkey/rest'

/** Two programs on an embedded service of their own. */
export interface Programs {
  /** The account of a program that goes on. */
  readonly safe: Account
  /** The account of a program that ends before or after one of its requests. */
  readonly mortal: Account
}

/** One write, and what must be right whether it was stored or not. */
export interface MortalWrite {
  write(): Promise<unknown>
  check(): Promise<void>
}

/** Steps of a process that ends with one of them: see {@link mortal}. */
export interface MortalSteps {
  /** Takes a step, such as a request. */
  step<Result>(act: () => Promise<Result>): Promise<Result>
  /** How many steps were begun. */
  count(): number
  /** Whether the process has ended. */
  hasDied(): boolean
}

/**
 * Lets a process end with one of its steps. Whatever it does afterwards fails, and so does what it waits for.
 *
 * @param at - the step, from 1
 * @param dies - whether it ends before the step, or after it
 */
export function mortal(at: number, dies: 'before' | 'after'): MortalSteps {
  let count = 0
  return {
    async step(act) {
      count++
      if (count > at || (count === at && dies === 'before')) throw new Error('ended')
      const result = await act()
      if (count >= at) throw new Error('ended')
      return result
    },
    count: () => count,
    hasDied: () => count >= at,
  }
}

/** Loses requests and responses by chance; `share` of each. */
export function lossy(inner: Transport, random: () => number, share: number): Transport {
  return async (request, limits) => {
    if (random() < share) throw new Error('lost request')
    const response = await inner(request, limits)
    if (random() < share) throw new Error('lost response')
    return response
  }
}

/**
 * Lets a program end at its first request, then at its second, and so on, until its write survives. Each time it checks what
 * the write left.
 *
 * @param dies - whether the program ends before the service gets the request, or after
 * @param begin - prepares the service, and returns the write
 * @returns how often the program ended
 */
export async function countDeaths(
  dies: 'before' | 'after',
  begin: (programs: Programs) => Promise<MortalWrite>,
): Promise<number> {
  for (let at = 1; ; at++) {
    const { write, check } = await begin(programs(at, dies))
    const isDone = await write().then(
      () => true,
      () => false,
    )
    await check()
    if (isDone) return at - 1
  }
}

function programs(at: number, dies: 'before' | 'after'): Programs {
  const { transport, connectionString } = localTableService()
  const { step } = mortal(at, dies)
  const dying: Transport = (request, limits) => step(() => transport(request, limits))
  const open = (through: Transport) =>
    new Account(
      tableService({ connectionString: connectionString(), transport: through, retry: noRetry }),
    )
  return { safe: open(transport), mortal: open(dying) }
}
