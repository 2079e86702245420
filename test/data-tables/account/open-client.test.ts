import { TableClient } from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }
const key = { name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }

describe('a client', () => {
  it('sends to another endpoint than the URL', async () => {
    const { people, options } = await openPeople()
    const url = `http://elsewhere.invalid/${DEVELOPMENT_ACCOUNT}`
    const client = new TableClient(url, 'people', key, { ...options, endpoint: people.url })
    await client.createEntity(row)
    expect([client.url, (await people.getEntity('p', 'r')).rowKey]).toEqual([url, 'r'])
  })

  it('reports an invalid endpoint when a call needs it', async () => {
    const url = 'https://contoso.table.core.windows.net'
    const client = new TableClient(url, 'people', { endpoint: 'contoso' })
    expect(client.url).toBe(url)
    await expect(client.getEntity('p', 'r')).rejects.toMatchObject({ code: 'InvalidEndpoint' })
    expect(() => new TableClient('contoso', 'people')).toThrow(/must be a URL/)
  })

  it('rejects plain http to another machine unless they allow it', () => {
    const url = `http://elsewhere.invalid/${DEVELOPMENT_ACCOUNT}`
    expect(() => new TableClient(url, 'people', key)).toThrow(
      /plain http.* set allowInsecureConnection: true/,
    )
    expect(new TableClient(url, 'people', key, { allowInsecureConnection: true }).url).toBe(url)
  })
})
