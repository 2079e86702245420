import { describe, expect, it } from 'vitest'
import { placeOf, sourceFiles } from './source-files.ts'

/** Functions of Node and of the platform that open connections or look up names. */
const CALLS =
  /\b(?:fetch|createConnection|connect|lookup)\s*\(|\bhttps?\.(?:get|request)\b|from '(?:undici|node:(?:dns|dgram|http2)(?:\/promises)?)'|\bWebSocket\b|\bEventSource\b/

/** The imports of the service from modules that can both listen and call. */
const IMPORT = /import (?:type )?\{([^}]*)\} from 'node:(?:https?|net|tls)'/g
const LISTENING =
  /^(?:createServer(?: as \w+)?|createSecureContext|STATUS_CODES|type \w+|IncomingMessage|ServerResponse|Server(?: as \w+)?|Socket|AddressInfo|isIP)$/

const local = sourceFiles.filter((file) => file.package === 'local')

describe('the embedded service', () => {
  it('listens and responds, and never opens a connection', () => {
    expect(local.length).toBeGreaterThan(50)
    expect(local.filter(({ text }) => CALLS.test(withoutRemarks(text))).map(placeOf)).toEqual([])
  })

  it('imports from node:http, https, net and tls only what listens', () => {
    const taken = local.flatMap((file) =>
      Array.from(file.text.matchAll(IMPORT), ([, names = '']) =>
        names.split(',').map((name) => name.trim()),
      ).flat(),
    )
    expect(taken).toContain('createServer')
    expect(taken.filter((name) => name !== '' && !LISTENING.test(name))).toEqual([])
  })
})

describe('the rule against calls', () => {
  it.each([
    'await fetch(url)',
    "import { request } from 'undici'",
    "import dns from 'node:dns/promises'",
    'http.request(url)',
    'connect(port)',
  ])('sees %s', (text) => {
    expect(withoutRemarks(text)).toMatch(CALLS)
  })
})

function withoutRemarks(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/ .*$/gm, '')
}
