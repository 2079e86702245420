import { DEVELOPMENT_KEY } from '@rowkey/rest'

const KEY = DEVELOPMENT_KEY
const SAS =
  'sv=2019-02-02&tn=people&sp=raud&se=2099-01-01T00%3A00%3A00Z&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D'

interface AcceptedString {
  readonly title: string
  readonly text: string
  readonly origin: string
  readonly basePath?: string
  readonly account: string
  readonly flavour?: 'cosmos' | 'storage'
  readonly sas?: true
  /** Origin and path of the copy in a second region. */
  readonly secondary?: readonly [origin: string, basePath: string]
}

/** Every form of connection string that the services and their tools hand out. */
export const accepted: readonly AcceptedString[] = [
  {
    title: 'the emulator',
    text: 'UseDevelopmentStorage=true',
    origin: 'http://127.0.0.1:10002',
    basePath: '/devstoreaccount1',
    account: 'devstoreaccount1',
    secondary: ['http://127.0.0.1:10002', '/devstoreaccount1-secondary'],
  },
  {
    title: 'a service of Cosmos DB on this machine, as rowkey serve prints it',
    text: `DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=${KEY};TableEndpoint=http://127.0.0.1:7/contoso;Flavour=cosmos`,
    origin: 'http://127.0.0.1:7',
    basePath: '/contoso',
    account: 'contoso',
    flavour: 'cosmos',
  },
  {
    title: 'the emulator, with a last semicolon and other case',
    text: 'usedevelopmentstorage=True;',
    origin: 'http://127.0.0.1:10002',
    basePath: '/devstoreaccount1',
    account: 'devstoreaccount1',
    secondary: ['http://127.0.0.1:10002', '/devstoreaccount1-secondary'],
  },
  {
    title: 'the emulator on another host',
    text: 'UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://emulator.localhost',
    origin: 'http://emulator.localhost:10002',
    basePath: '/devstoreaccount1',
    account: 'devstoreaccount1',
    secondary: ['http://emulator.localhost:10002', '/devstoreaccount1-secondary'],
  },
  {
    title: 'the emulator over IPv6',
    text: 'UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://[::1]',
    origin: 'http://[::1]:10002',
    basePath: '/devstoreaccount1',
    account: 'devstoreaccount1',
    secondary: ['http://[::1]:10002', '/devstoreaccount1-secondary'],
  },
  {
    title: 'an Azure account as the portal shows it',
    text: `DefaultEndpointsProtocol=https;AccountName=contoso;AccountKey=${KEY};EndpointSuffix=core.windows.net`,
    origin: 'https://contoso.table.core.windows.net',
    account: 'contoso',
    secondary: ['https://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'an Azure account with nothing but name and key',
    text: `AccountName=contoso;AccountKey=${KEY}`,
    origin: 'https://contoso.table.core.windows.net',
    account: 'contoso',
    secondary: ['https://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'a sovereign cloud',
    text: `AccountName=contoso;AccountKey=${KEY};EndpointSuffix=core.chinacloudapi.cn`,
    origin: 'https://contoso.table.core.chinacloudapi.cn',
    account: 'contoso',
    secondary: ['https://contoso-secondary.table.core.chinacloudapi.cn', ''],
  },
  {
    title: 'plain http',
    text: `DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=${KEY}`,
    origin: 'http://contoso.table.core.windows.net',
    account: 'contoso',
    secondary: ['http://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'blanks around names and values, empty pairs, and other services',
    text: ` AccountName = contoso ;; accountkey=${KEY} ; BlobEndpoint=https://contoso.blob.core.windows.net/;QueueEndpoint=https://q/;FileEndpoint=https://f/;`,
    origin: 'https://contoso.table.core.windows.net',
    account: 'contoso',
    secondary: ['https://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'Cosmos DB',
    text: `DefaultEndpointsProtocol=https;AccountName=contoso-cosmos;AccountKey=${KEY};TableEndpoint=https://contoso-cosmos.table.cosmos.azure.com:443/;`,
    origin: 'https://contoso-cosmos.table.cosmos.azure.com',
    account: 'contoso-cosmos',
    flavour: 'cosmos',
  },
  {
    title: 'Cosmos DB under its older host',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=https://contoso.table.cosmosdb.azure.com:443/`,
    origin: 'https://contoso.table.cosmosdb.azure.com',
    account: 'contoso',
    flavour: 'cosmos',
  },
  {
    title: 'an emulator of its own account',
    text: `AccountName=seeds;AccountKey=${KEY};TableEndpoint=http://127.0.0.1:20002/seeds`,
    origin: 'http://127.0.0.1:20002',
    basePath: '/seeds',
    account: 'seeds',
    secondary: ['http://127.0.0.1:20002', '/seeds-secondary'],
  },
  {
    title: 'a custom host, where AccountName gives the account',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=https://tables.contoso.example`,
    origin: 'https://tables.contoso.example',
    account: 'contoso',
  },
  {
    title: 'a key and a SAS: the key is used',
    text: `AccountName=contoso;AccountKey=${KEY};SharedAccessSignature=${SAS}`,
    origin: 'https://contoso.table.core.windows.net',
    account: 'contoso',
    secondary: ['https://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'a SAS with a host-style endpoint',
    text: `TableEndpoint=https://contoso.table.core.windows.net/;SharedAccessSignature=?${SAS}`,
    origin: 'https://contoso.table.core.windows.net',
    account: 'contoso',
    sas: true,
    secondary: ['https://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'a SAS with a path-style endpoint',
    text: `TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;SharedAccessSignature=${SAS}`,
    origin: 'http://127.0.0.1:10002',
    basePath: '/devstoreaccount1',
    account: 'devstoreaccount1',
    sas: true,
    secondary: ['http://127.0.0.1:10002', '/devstoreaccount1-secondary'],
  },
  {
    title: 'a SAS with the name of its account',
    text: `AccountName=contoso;SharedAccessSignature=${SAS}`,
    origin: 'https://contoso.table.core.windows.net',
    account: 'contoso',
    sas: true,
    secondary: ['https://contoso-secondary.table.core.windows.net', ''],
  },
  {
    title: 'an account with a DNS zone',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=https://contoso.z12.table.storage.azure.net/`,
    origin: 'https://contoso.z12.table.storage.azure.net',
    account: 'contoso',
    secondary: ['https://contoso-secondary.z12.table.storage.azure.net', ''],
  },
  {
    title: 'the American government cloud',
    text: `AccountName=contoso;AccountKey=${KEY};EndpointSuffix=core.usgovcloudapi.net`,
    origin: 'https://contoso.table.core.usgovcloudapi.net',
    account: 'contoso',
    secondary: ['https://contoso-secondary.table.core.usgovcloudapi.net', ''],
  },
  {
    title: 'an emulator in host style',
    text: `AccountName=seeds;AccountKey=${KEY};TableEndpoint=http://seeds.table.localhost:10002`,
    origin: 'http://seeds.table.localhost:10002',
    account: 'seeds',
    secondary: ['http://seeds-secondary.table.localhost:10002', ''],
  },
  {
    title: 'a host of its own, with its secondary',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=https://tables.contoso.example;TableSecondaryEndpoint=https://copy.contoso.example/`,
    origin: 'https://tables.contoso.example',
    account: 'contoso',
    secondary: ['https://copy.contoso.example', ''],
  },
]

interface RefusedString {
  readonly title: string
  readonly text: string
  /** What the message must say. */
  readonly says: RegExp
}

export const refused: readonly RefusedString[] = [
  {
    title: 'another kind of service',
    text: 'UseDevelopmentStorage=true;Flavour=sql',
    says: /Flavour .* 'storage' or 'cosmos'/,
  },
  { title: 'nothing', text: '', says: /empty/ },
  { title: 'blanks', text: '  \n', says: /empty/ },
  { title: 'a pair without =', text: 'AccountName=contoso;c2VjcmV0', says: /Pair 2 .* no name/ },
  { title: 'a pair without a name', text: '=c2VjcmV0', says: /Pair 1/ },
  { title: 'a name without a value', text: 'AccountName=;AccountKey=x', says: /accountname/ },
  {
    title: 'two values for one name',
    text: `AccountName=a;AccountName=b;AccountKey=${KEY}`,
    says: /accountname a second value/,
  },
  { title: 'no credential', text: 'AccountName=contoso', says: /AccountKey/ },
  { title: 'a key without its account', text: `AccountKey=${KEY}`, says: /AccountName is missing/ },
  {
    title: 'a key that is not base64',
    text: 'AccountName=contoso;AccountKey=c2VjcmV0!',
    says: /AccountKey .* base64/,
  },
  {
    title: 'an account name that breaks out of the host',
    text: `AccountName=evil.example/?;AccountKey=${KEY}`,
    says: /AccountName/,
  },
  {
    title: 'another protocol',
    text: `DefaultEndpointsProtocol=ftp;AccountName=contoso;AccountKey=${KEY}`,
    says: /DefaultEndpointsProtocol/,
  },
  {
    title: 'an endpoint that is not a URL',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=contoso`,
    says: /TableEndpoint .* https:\/\//,
  },
  {
    title: 'an endpoint with a SAS in it',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=https://contoso.table.core.windows.net?${SAS}`,
    says: /TableEndpoint .* query/,
  },
  {
    title: 'a secondary without its primary',
    text: `AccountName=contoso;AccountKey=${KEY};TableSecondaryEndpoint=https://copy.contoso.example`,
    says: /TableEndpoint is missing/,
  },
  {
    title: 'a secondary that is not a URL',
    text: `AccountName=contoso;AccountKey=${KEY};TableEndpoint=https://tables.contoso.example;TableSecondaryEndpoint=c2VjcmV0`,
    says: /TableSecondaryEndpoint .* https:\/\//,
  },
  { title: 'a SAS and nowhere to go', text: `SharedAccessSignature=${SAS}`, says: /TableEndpoint/ },
  {
    title: 'an invalid SAS',
    text: 'AccountName=contoso;SharedAccessSignature=c2VjcmV0',
    says: /SharedAccessSignature/,
  },
  {
    title: 'development storage that is not true',
    text: 'UseDevelopmentStorage=false',
    says: /UseDevelopmentStorage/,
  },
  {
    title: 'a proxy that is not a URL',
    text: 'UseDevelopmentStorage=true;DevelopmentStorageProxyUri=c2VjcmV0',
    says: /DevelopmentStorageProxyUri/,
  },
]

/** Pieces of the secrets above; no message may hold one. */
export const secrets: readonly string[] = ['Eby8vdM0', 'c2VjcmV0']
