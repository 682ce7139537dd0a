# Compiler and linker flags.  A flag is added only when the compiler takes it.

AC_DEFUN([IOB_ADD_CFLAG], [
	AS_VAR_PUSHDEF([cache], [iob_cv_cflag_$1])
	AC_CACHE_CHECK([whether $CC takes $1], [cache], [
		iob_saved_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS -Werror $1"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[]])],
			[AS_VAR_SET([cache], [yes])], [AS_VAR_SET([cache], [no])])
		CFLAGS=$iob_saved_CFLAGS])
	AS_VAR_IF([cache], [yes], [IOB_CFLAGS="$IOB_CFLAGS $1"])
	AS_VAR_POPDEF([cache])
])

AC_DEFUN([IOB_STANDARD], [
	IOB_CFLAGS="-std=gnu17"
	IOB_LDFLAGS=
	AC_SUBST([IOB_CFLAGS])
	AC_SUBST([IOB_LDFLAGS])
])

AC_DEFUN([IOB_WARNINGS], [
	m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes
		-Wmissing-prototypes -Wformat=2 -Wundef -Wwrite-strings -Wpointer-arith -Wcast-qual
		-Wnull-dereference -Wdouble-promotion -Wimplicit-fallthrough],
		[IOB_ADD_CFLAG([flag])])
])

AC_DEFUN([IOB_WERROR], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
		[], [enable_werror=no])
	AS_IF([test "x$enable_werror" != xno], [IOB_CFLAGS="$IOB_CFLAGS -Werror"])
])

AC_DEFUN([IOB_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers=LIST],
			[build with sanitizers, for instance address,undefined or thread])],
		[], [enable_sanitizers=no])
	AS_CASE([$enable_sanitizers],
		[no], [],
		[yes], [AC_MSG_ERROR([--enable-sanitizers wants a list, for instance address,undefined])],
		[IOB_CFLAGS="$IOB_CFLAGS -fsanitize=$enable_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"
		 IOB_LDFLAGS="$IOB_LDFLAGS -fsanitize=$enable_sanitizers"])
])

AC_DEFUN([IOB_COVERAGE], [
	AC_ARG_ENABLE([coverage],
		[AS_HELP_STRING([--enable-coverage], [build for a coverage report (gcovr)])],
		[], [enable_coverage=no])
	AS_IF([test "x$enable_coverage" != xno], [
		IOB_CFLAGS="$IOB_CFLAGS --coverage"
		IOB_LDFLAGS="$IOB_LDFLAGS --coverage"])
])

AC_DEFUN([IOB_FUZZING], [
	AC_ARG_ENABLE([fuzzing],
		[AS_HELP_STRING([--enable-fuzzing], [build the fuzz targets (needs clang)])],
		[], [enable_fuzzing=no])
	AM_CONDITIONAL([FUZZING], [test "x$enable_fuzzing" != xno])
])
