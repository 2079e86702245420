// The reference of typedoc, in the colours of the site and with links to the source.
import { readFileSync } from 'node:fs'
import process from 'node:process'

const { packageOptions, $schema, ...options } = JSON.parse(
  readFileSync(new URL('../typedoc.json', import.meta.url), 'utf8'),
)
const base = process.env.SITE_BASE ?? '/'

export default {
  ...options,
  entryPoints: ['../packages/*'],
  readme: 'none',
  packageOptions: {
    ...packageOptions,
    disableSources: false,
    disableGit: true,
    sourceLinkTemplate: '{path}#L{line}',
    // link-sources.ts makes links of these.
    gitRevision: 'unused',
  },
  customCss: 'typedoc.css',
  hideGenerator: true,
  includeHierarchySummary: false,
  titleLink: base,
  navigationLinks: { Tour: `${base}tour.html`, 'By package': `${base}reference/` },
}
