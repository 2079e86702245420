import { DynamicEntity } from '@rowkey/odata'
import { EntityNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { retryConflicts } from '../../../packages/patterns/src/conflicts/retry-conflicts.ts'
import { office } from '../employees.ts'

async function counting() {
  const opened = office()
  const rows = opened.account.table('rows')
  await rows.create()
  await rows.insert(new DynamicEntity('p', 'r', { count: 0 }))
  const add = async (): Promise<void> => {
    const row = await rows.get(['p', 'r'])
    row.set('count', (row.get('count')?.as('Int32') ?? 0) + 1)
    await rows.merge(row)
  }
  return { ...opened, rows, add }
}

describe('retryConflicts', () => {
  it('runs again after a conflict, and loses no write', async () => {
    const { account, rows, add } = await counting()
    await Promise.all(
      Array.from({ length: 5 }, () => retryConflicts(account.service, async () => add(), {})),
    )
    expect((await rows.get(['p', 'r'])).get('count')?.value).toBe(5)
  })

  it('gives up after 10 attempts with the last conflict', async () => {
    const { account } = await counting()
    let attempts = 0
    const attempt = async () => {
      attempts++
      await account.table('rows').get(['p', 'missing'])
    }
    await expect(retryConflicts(account.service, attempt, {})).rejects.toThrow(EntityNotFoundError)
    expect(attempts).toBe(10)
  })

  it('throws any other error at once', async () => {
    const { account } = await counting()
    let attempts = 0
    const attempt = async () => {
      attempts++
      throw new RangeError('broken')
    }
    await expect(retryConflicts(account.service, attempt, {})).rejects.toThrow(RangeError)
    expect(attempts).toBe(1)
  })
})
