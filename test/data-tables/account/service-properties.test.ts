import { TableClient, TableServiceClient } from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { openPeople } from '../open.ts'

it("changes only the caller's properties, and returns them all", async () => {
  const { service } = await openPeople()
  const retentionPolicy = { enabled: true, days: 7 }
  const rule = {
    allowedOrigins: 'https://contoso.com,https://fabrikam.com',
    allowedMethods: 'GET,PUT',
    allowedHeaders: 'x-ms-*',
    exposedHeaders: '',
    maxAgeInSeconds: 60,
  }
  await service.setProperties({
    logging: { version: '1.0', read: true, write: false, delete: true, retentionPolicy },
    cors: [rule],
  })
  await service.setProperties({
    hourMetrics: { enabled: true, includeAPIs: true, retentionPolicy },
  })
  expect(await service.getProperties()).toMatchObject({
    logging: { read: true, write: false, delete: true, retentionPolicy },
    hourMetrics: { enabled: true, includeAPIs: true, retentionPolicy },
    cors: [rule],
  })
})

it('reads the statistics of the secondary without another client', async () => {
  const { service } = await openPeople()
  expect(await service.getStatistics()).toMatchObject({
    geoReplication: { status: 'live', lastSyncTime: expect.any(Date) },
  })
})

it('reads the statistics at the URL of the secondary, too', async () => {
  const { service, options, people } = await openPeople()
  const key = { name: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }
  const secondary = new TableServiceClient(`${service.url}-secondary`, key, options)
  expect(await secondary.getStatistics()).toMatchObject({ geoReplication: { status: 'live' } })
  const reader = new TableClient(`${people.url}-secondary`, 'people', key, options)
  expect(await reader.listEntities().next()).toEqual({ done: true, value: undefined })
})
