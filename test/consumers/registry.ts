import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A package registry on the loopback address. */
export interface Registry {
  readonly url: string
  close(): void
}

interface Tarball {
  readonly path: string
  readonly bytes: Buffer
  /** The package.json inside. */
  readonly manifest: { readonly name: string; readonly version: string }
}

/**
 * Starts a registry that has Rowkey's packages as they are packed, and asks the machine's registry for every
 * other package. With it, `npm install rowkey` runs word for word before a release.
 *
 * @param paths - the tarballs
 */
export async function startRegistry(paths: readonly string[]): Promise<Registry> {
  const tarballs = await Promise.all(paths.map(readTarball))
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
  const server = createServer((request, response) => {
    respond(request, response, tarballs, upstream).catch((error: unknown) => {
      response.writeHead(502).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, close }
}

async function readTarball(path: string): Promise<Tarball> {
  const { stdout } = await run('tar', ['-xzOf', path, 'package/package.json'])
  return { path, bytes: await readFile(path), manifest: JSON.parse(stdout) }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  tarballs: readonly Tarball[],
  upstream: string,
): Promise<void> {
  const path = decodeURIComponent(request.url ?? '/').slice(1)
  const packed = tarballs.find(({ path: file }) => path === `tarballs/${basename(file)}`)
  if (packed !== undefined) {
    response.end(packed.bytes)
    return
  }
  const named = tarballs.find(({ manifest }) => manifest.name === path)
  if (named !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(documentOf(named, `http://${request.headers.host}/`)))
    return
  }
  const { accept = 'application/json' } = request.headers
  const found = await fetch(new URL((request.url ?? '/').slice(1), upstream), {
    headers: { accept },
  })
  response.writeHead(found.status, {
    'content-type': found.headers.get('content-type') ?? 'application/json',
  })
  response.end(Buffer.from(await found.arrayBuffer()))
}

/** What a registry says about a package that has one version. */
function documentOf({ path, bytes, manifest }: Tarball, url: string): object {
  const { name, version } = manifest
  const dist = {
    tarball: `${url}tarballs/${basename(path)}`,
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}
