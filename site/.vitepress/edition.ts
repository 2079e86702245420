/** Which edition of the site is built: `site/build.ts` sets these. */
import { readFileSync } from 'node:fs'
import process from 'node:process'

const manifest: { readonly version: string; readonly repository: { readonly url: string } } =
  JSON.parse(readFileSync(new URL('../../packages/rowkey/package.json', import.meta.url), 'utf8'))

/** The version that the pages describe. */
export const version = process.env.SITE_VERSION ?? manifest.version

/** The folder of the host that the site stands in. */
export const base = process.env.SITE_BASE ?? '/'

/** Where links to the source lead, without a slash at the end. */
const repository =
  process.env.SITE_REPOSITORY ?? manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** The branch or the tag that links to the source name. */
const ref = process.env.SITE_REF ?? 'main'

/** Returns the address of a file or a folder of the repository. */
export function sourceOf(path: string): string {
  return path === '' ? repository : `${repository}/tree/${ref}/${path}`
}
