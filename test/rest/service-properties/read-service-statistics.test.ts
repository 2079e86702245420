import { describe, expect, it } from 'vitest'
import { readServiceStatistics } from '../../../packages/rest/src/service-properties/read-service-statistics.ts'

const stats = (content: string) =>
  `<?xml version="1.0" encoding="utf-8"?><StorageServiceStats><GeoReplication>${content}</GeoReplication></StorageServiceStats>`

describe('readServiceStatistics', () => {
  it('R-119: reads the status and the last sync time', async () => {
    const body = stats(
      '<Status>live</Status><LastSyncTime>Mon, 02 Oct 2017 20:14:03 GMT</LastSyncTime>',
    )
    expect(await readServiceStatistics(body)).toEqual({
      status: 'live',
      lastSyncTime: new Date('2017-10-02T20:14:03Z'),
    })
  })

  it('R-119: has no last sync time where the service cannot say', async () => {
    const body = stats('<Status>unavailable</Status><LastSyncTime />')
    expect(await readServiceStatistics(body)).toEqual({ status: 'unavailable' })
  })

  it.each(['', '<Status />', '<Status>live</Status><LastSyncTime>soon</LastSyncTime>'])(
    'takes %j for no statistics',
    async (content) => {
      await expect(readServiceStatistics(stats(content))).rejects.toThrow(
        expect.objectContaining({ code: 'UnexpectedAnswer' }),
      )
    },
  )
})
