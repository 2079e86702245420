import { defineEntity, key, upgradeTable } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'

describe('an index of a model with versions', () => {
  it('versions that make the same entries share the index with sameSince', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, version: 1, schema })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: (old: z.output<typeof schema>) => old,
      schema,
    })
    const mail = { rowKey: key`${'mail'}`, unique: true, sameSince: 1 } as const
    const first = declareIndexes(First, { mail }).on(account)
    const second = declareIndexes(Second, { mail }).on(account)
    await account.table(First).create()
    await first.build()
    await account.table(Second).insert({ department: 'Sales', id: 'a', mail: 'a' })
    const twin = account.table(First).insert({ department: 'Sales', id: 'b', mail: 'a' })
    await expect(twin).rejects.toMatchObject({ code: 'UniqueValueTaken' })
    expect(await second.state('mail')).toBe('readable')
  })

  it('is another one in a later version, also after upgradeTable, and a program must have both', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, version: 1, schema })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: (old: z.output<typeof schema>) => ({ ...old, mail: old.mail.toLowerCase() }),
      schema,
    })
    const mail = { rowKey: key`${'mail'}`, unique: true } as const
    declareIndexes(First, { mail })
    const second = declareIndexes(Second, { mail }).on(account)
    await account.table(First).create()
    await account.table(First).insert({ department: 'Sales', id: 'a', mail: 'A@CONTOSO.com' })
    expect(await second.state('mail')).toBe('building')
    const upgrade = upgradeTable(account.table(Second))
    await expect(upgrade).rejects.toMatchObject({ code: 'UndeclaredDefinition' })
    const [, old = ''] = /drop\('(mail\.\w+)'\)/.exec(String(await upgrade.catch(String))) ?? []
    await second.drop(old)
    await upgradeTable(account.table(Second))
    await second.build()
    await second.drop('mail')
    expect(await second.state('mail')).toBe('dropped')
    await second.build({ only: ['mail'] })
    const values = { department: 'Sales', mail: 'a@contoso.com' }
    expect((await second.find('mail', values))?.id).toBe('a')
    expect(await second.verify()).toMatchObject({ rows: 1, kept: 1, found: 0 })
  })
})
