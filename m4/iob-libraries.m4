# IOB_LIBRARY(PREFIX, LIBRARY, HEADERS, FUNCTION, PACKAGE)
# For libraries that ship no pkg-config file: looks for one of HEADERS and for
# FUNCTION, sets PREFIX_LIBS, and says which Debian package has it.
AC_DEFUN([IOB_LIBRARY], [
	iob_have_header=no
	AC_CHECK_HEADERS([$3], [iob_have_header=yes; break])
	AS_IF([test $iob_have_header = no],
		[AC_MSG_ERROR([header of lib$2 not found; install $5])])
	AC_CHECK_LIB([$2], [$4], [$1_LIBS=-l$2],
		[AC_MSG_ERROR([lib$2 not found; install $5])])
	AC_SUBST([$1_LIBS])
])

# Unit tests need Criterion and libvterm, which some distributions lack.
AC_DEFUN([IOB_TESTS], [
	AC_ARG_ENABLE([tests],
		[AS_HELP_STRING([--enable-tests=auto|yes|no],
			[build the unit tests, which need Criterion and libvterm (auto)])],
		[], [enable_tests=auto])
	have_tests=no have_fuse=no
	AS_IF([test "x$enable_tests" != xno], [
		PKG_CHECK_MODULES([FUSE], [fuse3 >= 3.10], [have_fuse=yes],
			[AC_MSG_NOTICE([tests with a faulty file system are left out: libfuse3-dev is missing])])
		PKG_CHECK_MODULES([CRITERION], [criterion >= 2.3], [have_tests=yes], [have_tests=no])
		PKG_CHECK_MODULES([VTERM], [vterm >= 0.1], [], [have_tests=no])
		AS_IF([test "x$enable_tests$have_tests" = xyesno],
			[AC_MSG_ERROR([--enable-tests needs libcriterion-dev and libvterm-dev])])
		AS_IF([test $have_tests = no],
			[AC_MSG_WARN([unit tests are left out: libcriterion-dev or libvterm-dev is missing])])])
	AM_CONDITIONAL([UNIT_TESTS], [test $have_tests = yes])
	AM_CONDITIONAL([FAULT_FS], [test $have_fuse = yes])
])
