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
  let count = 0
  const dying: Transport = async (request, limits) => {
    count++
    if (count > at || (count === at && dies === 'before')) throw new Error('ended')
    const response = await transport(request, limits)
    if (count === at) throw new Error('ended')
    return response
  }
  const open = (through: Transport) =>
    new Account(
      tableService({ connectionString: connectionString(), transport: through, retry: noRetry }),
    )
  return { safe: open(transport), mortal: open(dying) }
}
