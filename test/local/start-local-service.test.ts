import { startLocalService } from '@rowkey/local'

import { describe, expect, it } from 'vitest'

describe('startLocalService', () => {
  it('listens on a free port and returns its connection string', async () => {
    const local = await startLocalService({ port: 0, accounts: [{ name: 'contoso', key: 'AAAA' }] })
    expect(local.connectionString).toBe(
      `DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=AAAA;TableEndpoint=http://127.0.0.1:${local.port}/contoso`,
    )
    const response = await fetch(`http://127.0.0.1:${local.port}/contoso/Tables`)
    expect(response.status).toBe(403)
    await local.close()
    await expect(fetch(`http://127.0.0.1:${local.port}/`)).rejects.toThrow()
  })

  it('rejects an unknown option', async () => {
    await expect(startLocalService({ prot: 1 } as object)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
