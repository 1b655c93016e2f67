# Sourced by `stet` and `mvnw`. Plain POSIX shell, and no process is started where a JDK has its `release` file.

# Prints the major version of the Java installation in $1; fails when there is none.
java_major() {
  [ -x "$1/bin/java" ] || return 1
  _version=
  if [ -r "$1/release" ]; then
    while IFS='=' read -r _key _value; do
      case $_key in
        JAVA_VERSION) _version=${_value#\"} && _version=${_version%%\"*} && break ;;
      esac
    done < "$1/release"
  fi
  if [ -z "$_version" ]; then
    _version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
  fi
  major=${_version%%[!0-9]*}
  [ -n "$major" ]
}

# Sets java_home to a Java of at least version $1 that has bin/$2 (java or javac): JAVA_HOME first, then PATH, then the
# folders where JDKs are usually installed, of which the lowest version that will do is taken.
find_java() {
  java_home=
  if [ -n "${JAVA_HOME-}" ] && java_fits "$JAVA_HOME" "$1" "$2"; then
    java_home=$JAVA_HOME
    return 0
  fi
  _on_path=$(command -v "$2" 2>/dev/null) || _on_path=
  if [ -n "$_on_path" ]; then
    _real=$(readlink -f "$_on_path" 2>/dev/null) || _real=$_on_path
    _home=${_real%/bin/*}
    # A shim (jenv, asdf, /usr/bin/java on macOS) does not lie in a JDK: ask it where the JDK is.
    if [ ! -r "$_home/release" ]; then
      _home=$("${_on_path%/*}/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
    fi
    if [ -n "$_home" ] && java_fits "$_home" "$1" "$2"; then
      java_home=$_home
      return 0
    fi
  fi
  _best=0
  for _home in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/java/* /opt/jdk* /opt/*/jdk* \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* "${HOME-}"/.local/share/mise/installs/java/* \
    "${HOME-}"/.asdf/installs/java/* "${HOME-}"/.jenv/versions/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if java_fits "$_home" "$1" "$2" && { [ "$_best" = 0 ] || [ "$major" -lt "$_best" ]; }; then
      _best=$major
      java_home=$_home
    fi
  done
  [ -n "$java_home" ]
}

java_fits() {
  [ -x "$1/bin/$3" ] && java_major "$1" && [ "$major" -ge "$2" ]
}
