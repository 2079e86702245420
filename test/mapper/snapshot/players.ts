import { Entity, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import { freshAccount } from '../fresh-account.ts'

@Entity('players')
export class Player {
  @PartitionKey() game!: string
  @RowKey() name!: string
  @Property('Int32') points?: number
  @Property('String') clan?: string
  @Property('String') motto = 'none'
}

/** The key of Jeff. */
export const at = ['chess', 'Jeff'] as const

/** The player Jeff. */
export const jeff = (rest: Partial<Player> = {}) =>
  Object.assign(new Player(), { game: 'chess', name: 'Jeff', ...rest })

/** One account with the table `players`, as a class and as rows without a declared class. */
export async function players() {
  const { account, service, sent } = freshAccount()
  const table = account.table(Player)
  await table.create()
  sent.length = 0
  return { account, service, sent, table, rows: account.table('players') }
}
