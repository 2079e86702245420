import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { InjectedFault, LocalListener } from '@rowkey/local'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNT, Conversation, codeOf, NOON, sign } from '../../support/local-conversation.ts'

const row = (rowKey: string) => ({ PartitionKey: 'a', RowKey: rowKey })

describe('a fault', () => {
  let waits: number[]
  let service: Conversation
  let listener: LocalListener

  beforeEach(async () => {
    waits = []
    service = new Conversation({
      pause: async (delay) => {
        waits.push(delay)
      },
    })
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    await service.send('POST', '/people', { body: row('b') })
    listener = await service.local.listen({ port: 0 })
  })

  afterEach(() => service.local.close())

  const inject = (fault: InjectedFault) => service.local.faults.add({ nth: 1, fault })
  const insert = () => service.send('POST', '/people', { body: row('c') })
  const list = () => service.send('GET', '/people()')
  const rowKeys = async () =>
    JSON.parse((await list()).body).value.map((one: { RowKey: string }) => one.RowKey)

  /** Reads everything that a socket receives, and how the connection ends. */
  const hear = () =>
    new Promise<{ text: string; end: string }>((resolve) => {
      const date = new Date(service.now).toUTCString()
      const socket = connect(listener.port, '127.0.0.1')
      let text = ''
      let end = 'closed'
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        end = error.code ?? ''
      })
      socket.on('close', () => resolve({ text, end }))
      socket.write(
        `GET /${ACCOUNT}/people() HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: application/json\r\nx-ms-date: ${date}\r\nAuthorization: SharedKeyLite ${ACCOUNT}:${sign(`${date}\n/${ACCOUNT}/${ACCOUNT}/people()`)}\r\n\r\n`,
      )
    })

  it('does nothing for a lost request, and everything for a lost response', async () => {
    inject({ kind: 'lost request' })
    await expect(insert()).rejects.toMatchObject({ mayHaveApplied: true })
    expect(await rowKeys()).toEqual(['b'])
    inject({ kind: 'lost response' })
    await expect(insert()).rejects.toMatchObject({ mayHaveApplied: true })
    expect(await rowKeys()).toEqual(['b', 'c'])
  })

  it('ends the connection of a lost response in order, or by a reset', async () => {
    inject({ kind: 'lost response' })
    expect(await hear()).toEqual({ text: '', end: 'closed' })
    inject({ kind: 'lost request', connection: 'reset' })
    expect(await hear()).toEqual({ text: '', end: 'ECONNRESET' })
    expect(service.local.requests.entries().slice(-2)).toMatchObject([
      { fault: 'lost response', status: undefined },
      { fault: 'lost request', status: undefined },
    ])
  })

  it.each([
    ['RequestTimeout', 408],
    ['TableBeingDeleted', 409],
    ['TooManyRequests', 429],
    ['InternalError', 500],
    ['OperationTimedOut', 500],
    ['ServerBusy', 503],
  ] as const)('of the rejection %s has status %i', async (code, status) => {
    inject({ kind: 'rejection', code })
    const refused = await insert()
    expect(codeOf(refused)).toEqual([status, code])
    expect(refused.headers).not.toHaveProperty('retry-after')
    expect(refused.headers['x-ms-error-code']).toBe(code)
    expect(await rowKeys()).toEqual(['b'])
  })

  it('of a rejection can set retry-after, and can apply the request', async () => {
    inject({ kind: 'rejection', code: 'TooManyRequests', retryAfter: 1500, applied: true })
    const { headers } = await insert()
    expect([headers['retry-after'], headers['x-ms-retry-after-ms']]).toEqual(['2', '1500'])
    expect(await rowKeys()).toEqual(['b', 'c'])
  })

  it('delays a response', async () => {
    inject({ kind: 'late response', delay: 7000 })
    expect((await list()).status).toBe(200)
    inject({ kind: 'late response', delay: 8000 })
    expect((await hear()).text).toContain('"RowKey":"b"')
    expect(waits).toEqual([7000, 8000])
  })

  it('stops in the middle of a body and continues', async () => {
    inject({ kind: 'slow body', delay: 7000 })
    const { text } = await hear()
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '').value).toHaveLength(1)
    inject({ kind: 'slow body', delay: 8000, after: 0 })
    expect((await list()).status).toBe(200)
    inject({ kind: 'slow body', delay: 9000 })
    const headers = { prefer: 'return-no-content' }
    expect((await service.send('POST', '/people', { body: row('c'), headers })).status).toBe(204)
    expect(waits).toEqual([7000, 8000, 9000])
  })

  it('truncates a body', async () => {
    inject({ kind: 'truncated body', after: 5 })
    const [head, body] = (await hear()).text.split('\r\n\r\n')
    expect(body).toHaveLength(5)
    const promised = Number(/content-length: (\d+)/.exec(head ?? '')?.[1])
    expect(promised).toBeGreaterThan(5)
    inject({ kind: 'truncated body', after: 1_000_000 })
    expect((await hear()).text.split('\r\n\r\n')[1]).toHaveLength(promised - 1)
    inject({ kind: 'truncated body' })
    await expect(list()).rejects.toMatchObject({ mayHaveApplied: false })
  })

  it('loses a response without a body to truncate', async () => {
    inject({ kind: 'truncated body' })
    const path = "/people(PartitionKey='a',RowKey='b')"
    const headers = { 'if-match': '*' }
    await expect(service.send('DELETE', path, { headers })).rejects.toMatchObject({
      mayHaveApplied: true,
    })
    expect(await rowKeys()).toEqual([])
  })

  it('cuts a page, even to nothing, with a token that continues', async () => {
    await insert()
    const tokenOf = (headers: Readonly<Record<string, string>>) => [
      headers['x-ms-continuation-nextpartitionkey'],
      headers['x-ms-continuation-nextrowkey'],
    ]
    inject({ kind: 'cut page', rows: 0 })
    const empty = await list()
    expect(JSON.parse(empty.body).value).toEqual([])
    inject({ kind: 'cut page', rows: 1 })
    const [partition, next] = tokenOf(empty.headers)
    const target = `/people()?NextPartitionKey=${partition}&NextRowKey=${next}`
    const first = await service.send('GET', target)
    expect(JSON.parse(first.body).value).toMatchObject([row('b')])
    inject({ kind: 'cut page', rows: 1 })
    const filtered = await service.send('GET', `/people()?$filter=RowKey%20ne%20'b'`)
    expect(JSON.parse(filtered.body).value).toEqual([])
    expect(tokenOf(filtered.headers)).toEqual(tokenOf(first.headers))
    inject({ kind: 'cut page', rows: 0 })
    const tables = await service.send('GET', '/Tables')
    expect(JSON.parse(tables.body).value).toEqual([])
    expect(tables.headers['x-ms-continuation-nexttablename']).toBeDefined()
  })

  it('of a wrong clock rejects correct dates, and has a wrong Date', async () => {
    inject({ kind: 'wrong clock', offset: 20 * 60_000 })
    const { status, headers } = await list()
    expect([status, headers['x-ms-error-code']]).toEqual([403, 'AuthenticationFailed'])
    expect(Date.parse(headers.date ?? '')).toBe(NOON + 20 * 60_000)
    inject({ kind: 'wrong clock', offset: -60_000 })
    const slow = await list()
    expect([slow.status, Date.parse(slow.headers.date ?? '')]).toEqual([200, NOON - 60_000])
  })

  it('of a duplicate delivery applies the request twice, and delivers one response', async () => {
    inject({ kind: 'duplicate delivery' })
    expect((await insert()).status).toBe(201)
    inject({ kind: 'duplicate delivery', response: 'second' })
    const path = "/people(PartitionKey='a',RowKey='c')"
    const deleted = await service.send('DELETE', path, { headers: { 'if-match': '*' } })
    expect(deleted.status).toBe(404)
  })

  it.each(['the client is gone', 'the listener closes'])(
    'ends its delay when %s',
    async (reason) => {
      let begin = () => {}
      const began = new Promise<void>((resolve) => {
        begin = resolve
      })
      const conversation = new Conversation({
        pause: (_, signal) =>
          new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve())
            begin()
          }),
      })
      const other = await conversation.local.listen({ port: 0 })
      conversation.local.faults.add({ fault: { kind: 'late response', delay: 9e9 } })
      const message = httpRequest({ port: other.port, path: '/', agent: false })
      const over = new Promise((resolve) => message.on('close', resolve))
      message.on('error', () => {})
      message.end()
      await began
      if (reason === 'the client is gone') message.destroy()
      await other.close()
      await over
    },
  )
})
