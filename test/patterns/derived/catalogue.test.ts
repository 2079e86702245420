import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isBatch, jones, type Office } from '../employees.ts'
import { grown } from '../indexes/grown-staff.ts'

const isCatalogue = ({ path, body }: HttpRequest): boolean =>
  `${path} ${body}`.includes('~rk~cat~') || `${path} ${body}`.includes('~rk~cat%7E')

/** The kept rows of a name, as they are stored. */
async function rowsOf({ account }: Pick<Office, 'account'>, name: string) {
  const all = await account.table('employees').query().allowTableScan().toArray()
  return all.filter(({ rowKey }) => rowKey.includes(`~${name}.`))
}

describe('drop', () => {
  it('writers keep an index until no reader trusts it', async () => {
    const { indexed, indexes, between, rival, employees } = await grown(1)
    await indexed.build()
    const reader = indexes.on(rival())
    await reader.find('email', { department: 'Sales', email: '1@contoso.com' })
    const email = 'late@contoso.com'
    let found: number | undefined
    // The catalogue changes twice; between the two a reader may still trust the index for a lease.
    let changes = 0
    between(
      (request) => isBatch(request) && isCatalogue(request) && ++changes === 2,
      async () => {
        await employees.insert({ ...jones, id: 8, email })
        found = (await indexes.on(rival()).state('email')) === 'dropped' ? 8 : undefined
      },
    )
    await indexed.drop('email')
    expect(found).toBe(8)
  })

  it('another program reads by the index as soon as it is built', async () => {
    const { indexed, indexes, rival, opened } = await grown(1)
    const there = indexes.on(rival())
    const find = () => there.find('email', { department: 'Sales', email: '1@contoso.com' })
    let early: unknown
    opened.between(
      (request) => isCatalogue(request) && String(request.body).includes('readable'),
      async () => {
        early = await find().catch(({ code }: { code: string }) => code)
      },
    )
    await indexed.build()
    expect(early).toBe('NotReadable')
    expect(await find()).toMatchObject({ id: 1 })
  })

  it('another program uses a state for one lease at most', async () => {
    const { indexed, indexes, Employee, rival, opened } = await grown(1)
    await indexed.build()
    const other = rival()
    await other.table(Employee).insert({ ...jones, id: 5, email: '5@contoso.com' })
    await indexed.drop('email')
    await other.table(Employee).insert({ ...jones, id: 6, email: '6@contoso.com' })
    expect(await rowsOf(opened, 'email')).toEqual([])
    expect(await indexes.on(other).state('email')).toBe('dropped')
  })
})
