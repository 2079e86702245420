import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { office } from './employees.ts'

/** Notes, whose PartitionKey is their tenant. A model of its own, because indexes are declared on models. */
export const defineNote = () =>
  defineEntity({
    name: 'notes',
    partitionKey: key`${'tenant'}`,
    rowKey: key`note_${'id:4'}`,
    schema: z.object({ tenant: z.string(), id: z.int(), tag: z.string(), size: z.int() }),
  })

/** Notes of three tenants, whose entries lie beside them and in a partition of all tenants. */
export async function notesOfTenants() {
  const { account, sent } = office()
  const Note = defineNote()
  const indexes = declareIndexes(
    Note,
    {
      tag: { rowKey: key`${'tag'}_${'id:4'}`, project: ['size'] },
      size: { rowKey: key`${'size:4'}`, unique: true },
      everywhere: {
        partitionKey: key`tag_${'tag'}`,
        rowKey: key`${'tenant'}_${'id:4'}`,
        project: ['size'],
      },
    },
    { worker: announcedTo().worker },
  )
  const summaries = declareSummaries(Note, {
    all: { rowKey: key`all`, sums: ['size'] },
    byTag: { rowKey: key`${'tag'}` },
  })
  await account.table(Note).create()
  for (const tenant of ['a', 'a1', 'b']) {
    for (const id of [1, 2]) await account.table(Note).insert({ tenant, id, tag: 'x', size: id })
  }
  await indexes.on(account).drain()
  const acme = account.table(Note).within({ tenant: 'a' })
  sent.length = 0
  return { account, sent, Note, indexes, summaries, acme }
}
