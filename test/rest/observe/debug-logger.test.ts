import { type CallLogger, getEntity, perform, SasCredential } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { debugLogger } from '../../../packages/rest/src/observe/debug-logger.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

function recording() {
  const lines: string[] = []
  const logger: CallLogger = {
    debug: (line) => lines.push(`debug ${line}`),
    warn: (line) => lines.push(`warn ${line}`),
  }
  return { lines, logger }
}

const people = { table: 'people', key: { partitionKey: 'Smith', rowKey: 'Jeff' } }

const missing = {
  status: 404,
  headers: { 'content-type': 'application/json', 'x-ms-error-code': 'ResourceNotFound' },
  body: '',
}

describe('the logger of a service', () => {
  it('receives responses and expected outcomes for debugging', async () => {
    const { lines, logger } = recording()
    const service = serviceOver(scriptedTransport(missing), { logger })
    await expect(perform(service, getEntity, people)).rejects.toMatchObject({ status: 404 })
    expect(lines).toEqual([
      expect.stringMatching(
        /^debug rowkey getEntity GET .*people\(.*\): 404 after \d+ ms, attempt 1/,
      ),
      expect.stringMatching(/^debug rowkey getEntity GET .*: ended with ResourceNotFound/),
    ])
  })

  it('receives a warning for retries and failures', async () => {
    const { lines, logger } = recording()
    const busy = { ...missing, status: 503 }
    const service = serviceOver(scriptedTransport(busy, { ...missing, status: 400 }), {
      logger,
    })
    await expect(perform(service, getEntity, people)).rejects.toThrow()
    const warnings = lines.filter((line) => line.startsWith('warn'))
    expect(warnings).toEqual([
      expect.stringMatching(/retries in \d+ ms, attempt 1/),
      expect.stringMatching(/ended with .*attempt 2/),
    ])
  })

  it('receives no SAS', async () => {
    const { lines, logger } = recording()
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const service = serviceOver(scriptedTransport(missing), { logger, credential } as never)
    await perform(service, getEntity, people).catch(() => {})
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join()).not.toMatch(/secret|sig=/)
  })

  it('must have the methods of a console', () => {
    expect(() =>
      serviceOver(scriptedTransport(missing), { logger: { debug() {} } as never }),
    ).toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
  })
})

describe('debugLogger', () => {
  it.each(['rowkey', 'express:*,rowkey', '*', 'rowkey*'])('is on with DEBUG=%s', (debug) => {
    expect(debugLogger(debug)).toBeDefined()
  })

  it.each(['', 'express', 'rowkeys', '*,-rowkey', '* -rowkey:*'])(
    'is off with DEBUG=%s',
    (debug) => {
      expect(debugLogger(debug)).toBeUndefined()
    },
  )
})
