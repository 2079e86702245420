import type { DerivedFinding } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { jones } from '../employees.ts'
import { grown } from './grown-staff.ts'

describe('verify and repair', () => {
  it('find and remove what a program without the index left behind', async () => {
    const { indexed, old } = await grown(3)
    await indexed.build()
    await old.delete({ department: 'Sales', id: 1 }, { etag: '*' })
    await old.merge({ ...jones, id: 2, email: 'new@contoso.com' }, { etag: '*' })
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    const found: DerivedFinding[] = []
    expect(await indexed.verify({ onFinding: (each) => found.push(each) })).toMatchObject({
      found: 6,
      repaired: 0,
    })
    const kinds = found.map(({ name, kind, row }) => `${name} ${kind} ${row?.rowKey}`).sort()
    expect(kinds).toEqual([
      'email dangling empid_000001',
      'email dangling empid_000002',
      'email missing empid_000002',
      'email missing empid_000009',
      'lastName dangling empid_000001',
      'lastName missing empid_000009',
    ])
    expect(await indexed.repair()).toMatchObject({ found: 6, repaired: 6 })
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })
})
