import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A file of the page. */
export interface PageFile {
  readonly type: string
  readonly body: Uint8Array
}

const FILES: Readonly<Record<string, string>> = {
  'studio.js': 'text/javascript; charset=utf-8',
  'studio.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

const PAGE = 'index.html'

/**
 * Reads a file of the page. Every address that is not a file is a view of the page.
 *
 * @param path - the path of the request
 * @param folder - where the files are
 * @param base - the path that the studio is below, with slashes at both ends
 */
export async function readPageFile(path: string, folder: string, base = '/'): Promise<PageFile> {
  const name = path.slice(1)
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  if (type !== undefined) return { type, body: await readFile(join(folder, name)) }
  const page = await readFile(join(folder, PAGE), 'utf8')
  const placed = page.replaceAll('="/', `="${base}`)
  return { type: 'text/html; charset=utf-8', body: Buffer.from(placed) }
}

/** Returns where the build puts the page. It finds the package by its name, because bundling moves this file to another folder. */
export function pageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('@rowkey/studio/package.json')
  return join(dirname(manifest), 'dist', 'page')
}
