import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListenError, localTableService } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import {
  AbortError,
  createTable,
  type HttpRequest,
  perform,
  queryEntities,
  TransportError,
  tableService,
} from '@rowkey/rest'

import { describe, expect, it } from 'vitest'

const request: HttpRequest = {
  method: 'GET',
  origin: 'http://localhost',
  path: '/devstoreaccount1/Tables',
  query: '',
  headers: {},
  body: undefined,
}

describe('localTableService', () => {
  it('uses the well-known account of emulators by default', () => {
    expect(localTableService().connectionString()).toBe(
      'DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;TableEndpoint=http://localhost/devstoreaccount1',
    )
  })

  it('returns the connection string of each account, and of no other', () => {
    const local = localTableService({
      accounts: [
        { name: 'contoso', key: 'AAAA' },
        { name: 'fabrikam', key: 'BBBB' },
      ],
    })
    expect(local.connectionString()).toContain('AccountName=contoso;AccountKey=AAAA;')
    expect(local.connectionString('fabrikam')).toContain('AccountName=fabrikam;AccountKey=BBBB;')
    expect(() => local.connectionString('tailspin')).toThrow(
      expect.objectContaining({ code: 'InvalidAccount' }),
    )
  })

  it('sends a late response after its delay', async () => {
    const local = localTableService()
    local.faults.add({ fault: { kind: 'late response', delay: 1 } })
    expect((await local.transport(request)).status).toBe(403)
  })

  it('rejects an unknown option by name', () => {
    const options = { port: 10_002 } as object
    expect(() => localTableService(options)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(() => localTableService(options)).toThrow(/'port'/)
  })

  it('sends nothing after the signal aborted', async () => {
    const { transport } = localTableService()
    const reason = new RangeError('enough')
    const failure = transport(request, { signal: AbortSignal.abort(reason) })
    await expect(failure).rejects.toThrow(AbortError)
    await expect(failure).rejects.toMatchObject({ cause: reason, mayHaveApplied: false })
  })

  it('sends nothing after it is closed', async () => {
    const local = localTableService()
    await local.close()
    await expect(local.transport(request)).rejects.toThrow(TransportError)
  })

  it('stops listening when it is closed', async () => {
    const local = localTableService()
    const { port } = await local.listen({ port: 0 })
    await local.close()
    const again = localTableService()
    const listener = await again.listen({ port })
    expect(listener.port).toBe(port)
    await again.close()
  })

  it('waits for pending in-process requests before it releases a folder', async () => {
    const data = await mkdtemp(join(tmpdir(), 'rowkey-'))
    const reported: unknown[] = []
    const local = localTableService({ data, onInternalError: (error) => reported.push(error) })
    const service = tableService({
      connectionString: local.connectionString(),
      transport: local.transport,
    })
    await perform(service, createTable, { table: 'people' })
    const pages = Array.from({ length: 20 }, () =>
      perform(service, queryEntities, { table: 'people' }),
    )
    while (local.requests.count <= pages.length) await undefined
    await local.close()
    expect((await Promise.all(pages)).map(({ entities }) => entities)).toEqual(pages.map(() => []))
    expect(reported).toEqual([])
    await rm(data, { recursive: true })
  })

  it('does not listen after it is closed, or when it closes in the meantime', async () => {
    const local = localTableService()
    const meanwhile = local.listen({ port: 0 })
    await local.close()
    await expect(meanwhile).rejects.toMatchObject({ code: 'ConnectionFailed', failure: 'closed' })
    await expect(local.listen({ port: 0 })).rejects.toThrow('it is closed')
  })

  it('names host and port when it cannot listen', async () => {
    const local = localTableService()
    const { port } = await local.listen({ port: 0 })
    const failure = local.listen({ port })
    await expect(failure).rejects.toThrow(ListenError)
    await expect(failure).rejects.toThrow(`127.0.0.1:${port}`)
    await local.close()
  })

  it('rejects an invalid host and an invalid port', async () => {
    const local = localTableService()
    await expect(local.listen({ host: '' })).rejects.toThrow(/host of listen/)
    for (const wrong of [{ host: 5 }, { host: {} }]) {
      await expect(local.listen(wrong as object)).rejects.toThrow(InputError)
    }
    for (const port of ['rowkey', null, -1, 1.5, Number.NaN, 65_536]) {
      await expect(local.listen({ port } as object)).rejects.toThrow(/port of listen.*0 to 65535/)
    }
    await local.close()
  })
})
