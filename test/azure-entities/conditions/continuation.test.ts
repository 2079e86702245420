import Entity, { type ScanResult } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { storedItems } from '../stored-items.ts'

const { Items } = await storedItems()

describe('scan', () => {
  it('R-144: continues with a token that the public pattern matches', async () => {
    const seen: string[] = []
    let continuation: string | null = null
    let pages = 0
    do {
      const page: ScanResult<InstanceType<typeof Items>> = await Items.scan(
        {},
        { limit: 2, continuation },
      )
      seen.push(...page.entries.map(({ id, name }) => `${id} ${name}`))
      continuation = page.continuation
      if (continuation !== null) expect(continuation).toMatch(Entity.continuationTokenPattern)
      pages += 1
    } while (continuation !== null)
    expect(pages).toBeGreaterThanOrEqual(3)
    expect(new Set(seen).size).toBe(6)
  })

  it.each(['x', 'a~b~c', '%zz~', 'a b~'])('R-144: rejects the token %j', async (continuation) => {
    await expect(Items.scan({}, { continuation })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })
})
