/** A kind of machine that Waymark has an executable for. */
export interface Target {
  /** As in the names of files, and after `bun-` as in the bundler's targets. */
  readonly name:
    | `${'linux' | 'darwin'}-${'x64' | 'arm64'}`
    | `linux-${'x64' | 'arm64'}-musl`
    | 'windows-x64';
  /** The package of npm that holds Bun's runtime for the target. */
  readonly runtimePackage: string;
  /** SHA-512 of the runtime's package, as in the lockfiles of npm. Take it anew for another version of Bun. */
  readonly runtimeIntegrity: string;
  /** What Debian and rpm call the processor; absent where there is no package. */
  readonly packages?: { readonly deb: string; readonly rpm: string };
}

/** All targets. `npm view @oven/bun-linux-x64@VERSION dist.integrity` tells the integrity of a runtime. */
export const targets: readonly Target[] = [
  {
    name: 'linux-x64',
    runtimePackage: '@oven/bun-linux-x64',
    runtimeIntegrity:
      'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
    packages: { deb: 'amd64', rpm: 'x86_64' },
  },
  {
    name: 'linux-arm64',
    runtimePackage: '@oven/bun-linux-aarch64',
    runtimeIntegrity:
      'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
    packages: { deb: 'arm64', rpm: 'aarch64' },
  },
  {
    name: 'linux-x64-musl',
    runtimePackage: '@oven/bun-linux-x64-musl',
    runtimeIntegrity:
      'sha512-10QoW/YfTgnURaGEaHpJCiXjLI2e5iTtfVDaA5JKcyUzaa1cq6cVUY9/Uq5XkYzvtRjHLRe9Oj/lTDIQcxy8HQ==',
  },
  {
    name: 'linux-arm64-musl',
    runtimePackage: '@oven/bun-linux-aarch64-musl',
    runtimeIntegrity:
      'sha512-XCNc+WvvMAdNNb+OWTogpy+N9wm62fkVeEVLb6how0RZhW5LPi6c7BlkeVCuWps7XjEl2saFpHFa20/1E+PAHg==',
  },
  {
    name: 'darwin-x64',
    runtimePackage: '@oven/bun-darwin-x64',
    runtimeIntegrity:
      'sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
  },
  {
    name: 'darwin-arm64',
    runtimePackage: '@oven/bun-darwin-aarch64',
    runtimeIntegrity:
      'sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  },
  {
    name: 'windows-x64',
    runtimePackage: '@oven/bun-windows-x64',
    runtimeIntegrity:
      'sha512-FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
  },
];
